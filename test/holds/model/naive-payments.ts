/** Placing a hold as spec D10 tells it: who pays, how much, how long, and what rejects it (D2 step 14, D6). */
import {
  accountOf,
  dayOf,
  heldOn,
  minorOf,
  type ModelCall,
  type ModelMerchant,
  type Money,
  moneyOf,
  sum,
  type World,
} from "./naive-world.ts";

export interface Rejection {
  readonly case: string;
  readonly field?: string;
}

export interface PaymentRequest {
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

const requestOf = (call: ModelCall) => call.request as unknown as PaymentRequest;

export function merchantOf(world: World, call: ModelCall): ModelMerchant | undefined {
  return world.merchants.get(`${call.partner}/${String(call.request["merchantId"])}`);
}

/** The amount it would hold; nothing where neither the request nor the merchant says. */
export function paymentAmount(world: World, call: ModelCall): Money | undefined {
  const { amount } = requestOf(call);
  if (amount) return moneyOf(minorOf(amount), amount.currency);
  const merchant = merchantOf(world, call);
  if (merchant?.defaultAmount === undefined) return undefined;
  return moneyOf(merchant.defaultAmount, accountOf(world, merchant.settlement).currency);
}

/** The first that is present decides: the customer, the request, the merchant. */
function payerOf(world: World, call: ModelCall): string | undefined {
  return call.customerAccountNo ?? requestOf(call).additionalInfo?.sourceAccountNo ?? merchantOf(world, call)?.payer;
}

export function endOf(world: World, call: ModelCall, now: number): number {
  const { validUpTo } = requestOf(call).additionalInfo ?? {};
  return validUpTo === undefined ? now + (merchantOf(world, call)?.holdMs ?? 0) : Date.parse(validUpTo);
}

export function rejectPayment(world: World, call: ModelCall, now: number): Rejection | undefined {
  const merchant = merchantOf(world, call);
  if (!merchant?.isActive) return { case: "invalidMerchant" };
  const { sourceAccountNo } = requestOf(call).additionalInfo ?? {};
  const customer = call.customerAccountNo;
  if (customer !== undefined && sourceAccountNo !== undefined && customer !== sourceAccountNo) {
    return { case: "transactionNotFound" };
  }
  const payerNo = payerOf(world, call);
  if (payerNo === undefined) return { case: "invalidMandatoryField", field: "additionalInfo.sourceAccountNo" };
  const amount = paymentAmount(world, call);
  if (!amount) return { case: "invalidMandatoryField", field: "amount" };
  const lasts = endOf(world, call, now) - now;
  if (lasts < 60_000 || lasts > 90 * 24 * 3_600_000) {
    return { case: "invalidFieldFormat", field: "additionalInfo.validUpTo" };
  }
  const isNamed = customer === undefined && sourceAccountNo !== undefined;
  const payer = world.accounts.get(payerNo);
  if (!payer || (isNamed && !payer.partners.includes(call.partner))) return { case: "transactionNotPermitted" };
  if (payerNo === merchant.settlement) return { case: "transactionNotPermitted" };
  const settlement = accountOf(world, merchant.settlement);
  if (amount.currency !== payer.currency || amount.currency !== settlement.currency) {
    return { case: "invalidFieldFormat", field: "amount.currency" };
  }
  for (const { status } of [payer, settlement]) {
    if (status === "closed" || status === "blocked") return { case: "inactiveAccount" };
    if (status === "dormant") return { case: "dormantAccount" };
  }
  return rejectAmount(world, payerNo, minorOf(amount), now);
}

function rejectAmount(world: World, payerNo: string, amount: bigint, now: number): Rejection | undefined {
  const payer = accountOf(world, payerNo);
  const today = payer.used.filter(({ day }) => day === dayOf(now));
  if (amount === 0n) return { case: "invalidAmount" };
  if (payer.each !== undefined && amount > payer.each) return { case: "exceedsTransactionAmountLimit" };
  if (payer.dailyCount !== undefined && today.length >= payer.dailyCount) return { case: "activityCountLimitExceeded" };
  const usedToday = sum(today.map((one) => one.amount));
  if (payer.daily !== undefined && usedToday + amount > payer.daily) return { case: "accountLimitExceeded" };
  return amount > payer.balance - heldOn(world, payerNo) ? { case: "insufficientFunds" } : undefined;
}

/** It is not rejected. */
export function place(world: World, call: ModelCall, now: number, no: string): void {
  const merchant = merchantOf(world, call);
  const payer = payerOf(world, call);
  const amount = paymentAmount(world, call);
  if (!merchant || payer === undefined || !amount) throw new Error("the model places what it rejects");
  const { partnerReferenceNo, merchantId, subMerchantId, additionalInfo } = requestOf(call);
  const held = minorOf(amount);
  world.holds.push({
    no,
    partner: call.partner,
    number: partnerReferenceNo,
    merchantId,
    subMerchantId,
    externalStoreId: additionalInfo?.externalStoreId,
    payer,
    settlement: merchant.settlement,
    currency: amount.currency,
    held,
    at: now,
    expiresAt: endOf(world, call, now),
    captures: [],
    releases: [],
    swept: 0n,
    voidCalls: 0,
    refundCalls: 0,
  });
  accountOf(world, payer).used.push({ day: dayOf(now), amount: held });
}
