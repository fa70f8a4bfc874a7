/** Authorize payment (63) as spec D10 has it: payer, amount, time of validity, and rejections (D2 step 14, D6). */
import { countDebit, rejectDebit } from "../../support/ledger-model.ts";
import {
  accountOf,
  heldOn,
  type HoldState,
  merchantOf,
  minorOf,
  type ModelCall,
  type Money,
  moneyOf,
  newHold,
} from "./hold-state.ts";

export interface Rejection {
  readonly case: string;
  readonly field?: string;
}

interface PaymentRequest {
  readonly partnerReferenceNo: string;
  readonly merchantId: string;
  readonly subMerchantId?: string;
  readonly amount?: Money;
  readonly additionalInfo?: {
    readonly sourceAccountNo?: string;
    readonly validUpTo?: string;
    readonly externalStoreId?: string;
  };
}

const requestOf = ({ request }: ModelCall) => request as unknown as PaymentRequest;

/** The amount to hold: the request's, else the merchant's default. */
export function paymentAmount(state: HoldState, call: ModelCall): Money | undefined {
  const { amount } = requestOf(call);
  if (amount) return moneyOf(minorOf(amount), amount.currency);
  const merchant = merchantOf(state, call);
  if (merchant?.defaultAmount === undefined) return undefined;
  return moneyOf(merchant.defaultAmount, accountOf(state, merchant.settlement).currency);
}

/** The payer that the call names: its customer's account, else its source account. */
export function namedPayer(call: ModelCall): string | undefined {
  return call.customerAccountNo ?? requestOf(call).additionalInfo?.sourceAccountNo;
}

export function expiryOf(state: HoldState, call: ModelCall, now: number): number {
  const { validUpTo } = requestOf(call).additionalInfo ?? {};
  return validUpTo === undefined ? now + (merchantOf(state, call)?.holdMs ?? 0) : Date.parse(validUpTo);
}

const rejections = {
  currencyMismatch: { case: "invalidFieldFormat", field: "amount.currency" },
  accountInactive: { case: "inactiveAccount" },
  accountDormant: { case: "dormantAccount" },
  amountTooSmall: { case: "invalidAmount" },
  overTransactionLimit: { case: "exceedsTransactionAmountLimit" },
  tooManyInPeriod: { case: "activityCountLimitExceeded" },
  overDailyLimit: { case: "accountLimitExceeded" },
  insufficientFunds: { case: "insufficientFunds" },
} as const;

export function rejectPayment(state: HoldState, call: ModelCall, now: number): Rejection | undefined {
  const merchant = merchantOf(state, call);
  if (!merchant?.isActive) return { case: "invalidMerchant" };
  const { sourceAccountNo } = requestOf(call).additionalInfo ?? {};
  const customer = call.customerAccountNo;
  if (customer !== undefined && sourceAccountNo !== undefined && customer !== sourceAccountNo) {
    return { case: "transactionNotFound" };
  }
  const payerNo = namedPayer(call) ?? merchant.payer;
  if (payerNo === undefined) return { case: "invalidMandatoryField", field: "additionalInfo.sourceAccountNo" };
  const money = paymentAmount(state, call);
  if (!money) return { case: "invalidMandatoryField", field: "amount" };
  const expiry = expiryOf(state, call, now);
  // The shortest is counted from the whole second.
  if (expiry < Math.floor(now / 1_000) * 1_000 + 60_000 || expiry - now > 90 * 24 * 3_600_000) {
    return { case: "invalidFieldFormat", field: "additionalInfo.validUpTo" };
  }
  const isNamed = customer === undefined && sourceAccountNo !== undefined;
  const payer = state.accounts.get(payerNo);
  if (!payer || (isNamed && !payer.partners.includes(call.partner))) return { case: "transactionNotPermitted" };
  if (payerNo === merchant.settlement) return { case: "transactionNotPermitted" };
  const debit = { amount: minorOf(money), currency: money.currency, now };
  const rejection = rejectDebit(debit, payer, accountOf(state, merchant.settlement), heldOn(state, payerNo));
  return rejection && rejections[rejection];
}

/** Applies a payment that is not rejected. */
export function placeHold(state: HoldState, call: ModelCall, now: number, no: string): void {
  const merchant = merchantOf(state, call);
  const payer = namedPayer(call) ?? merchant?.payer;
  const money = paymentAmount(state, call);
  if (!merchant || payer === undefined || !money) throw new Error("the model places what it rejects");
  const { partnerReferenceNo, merchantId, subMerchantId, additionalInfo } = requestOf(call);
  const hold = newHold({
    no,
    partner: call.partner,
    number: partnerReferenceNo,
    merchantId,
    subMerchantId,
    externalStoreId: additionalInfo?.externalStoreId,
    payer,
    settlement: merchant.settlement,
    currency: money.currency,
    held: minorOf(money),
    at: now,
    expiresAt: expiryOf(state, call, now),
  });
  state.holds.push(hold);
  countDebit(accountOf(state, payer), { amount: hold.held, currency: hold.currency, now });
}
