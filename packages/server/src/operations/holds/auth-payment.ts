/** Auth payment (63): places a hold on the payer's account (spec D10). */
import { authPaymentMembers, formatTimestamp, operations, parseTimestamp } from "@titian/contract";
import type { LockedRows, Locks } from "../../engine/rows/lock-order.ts";
import { cellOf, homeCell, newId, toReferenceNo } from "../../basics/ids.ts";
import type { Account } from "../../ledger/accounts/account.ts";
import { decideAuthorization } from "../../ledger/holds/authorize.ts";
import { internalAccountNo } from "../../ledger/accounts/internal-accounts.ts";
import { businessDay } from "../../ledger/business-day.ts";
import type { MerchantTerms } from "../../ledger/reference/reference-data.ts";
import { reject } from "../../ledger/rejection.ts";
import { newMerchantAccount } from "../../ledger/transit/merchant-account.ts";
import { readAdditional } from "../additional-info.ts";
import type { PaymentPayload, RejectedPayment } from "./hold-payload.ts";
import { type Amount, amountFingerprint, readMoney, readOptional, withDecimals, writeMoney } from "../money.ts";
import { statusOfHold, zeroAmount } from "./find-hold.ts";
import { haveSameFields, isSameAmount } from "../compare-content.ts";
import { type Order, keptFields, write } from "../write.ts";

/** Fields of `additionalInfo`, as texts. */
type Additional = Readonly<Partial<Record<keyof typeof authPaymentMembers, string>>>;
type PaymentOrder = Order<"authPayment", Additional>;

export const handleAuthPayment = write<"authPayment", PaymentPayload, Additional, RejectedPayment>(
  operations.authPayment,
  {
    read: ({ additionalInfo }) => readAdditional(additionalInfo, authPaymentMembers),
    fingerprint: ({ request, parsed, customerAccountNo }) => [
      ...amountFingerprint(request.amount),
      customerAccountNo,
      parsed.sourceAccountNo,
      request.merchantId,
      request.subMerchantId,
    ],
    hasSameContent: isSamePayment,
    locks: locksOf,
    decide: (order, found, { now }) => {
      const { request, parsed, merchant, customerAccountNo } = order;
      if (merchant?.status !== "active") return reject("unknownMerchant");
      if (customerAccountNo !== undefined && parsed.sourceAccountNo !== undefined) {
        if (customerAccountNo !== parsed.sourceAccountNo) return reject("referencesDisagree");
      }
      const isNamed = customerAccountNo !== undefined || parsed.sourceAccountNo !== undefined;
      if (!isNamed && merchant.payerAccount === undefined)
        return reject("payerMissing", "additionalInfo.sourceAccountNo");
      const settlement = settlementOf(order, merchant, found);
      const money = amountOf(order);
      if (money === "tooFine") return reject("currencyMismatch", "amount.value");
      if (money === undefined) return reject("amountMissing", "amount");
      const { partner, id } = order;
      const validUpTo = parsed.validUpTo === undefined ? undefined : parseTimestamp(parsed.validUpTo);
      const expiresAt = validUpTo ?? now + merchant.holdMs;
      const { partnerReferenceNo, merchantId, subMerchantId } = request;
      const payer = payerOf(order, found);
      const decision = decideAuthorization(
        {
          id,
          partner,
          partnerReferenceNo,
          merchantId,
          ...(subMerchantId !== undefined && { subMerchantId }),
          ...(parsed.externalStoreId !== undefined && { externalStoreId: parsed.externalStoreId }),
          held: money.amount,
          currency: money.currency,
          expiresAt,
          at: now,
          isNamedByPartner: customerAccountNo === undefined && parsed.sourceAccountNo !== undefined,
          day: businessDay(now),
        },
        payer,
        settlement?.account,
      );
      if (decision.kind !== "effect") return decision;
      const payload: PaymentPayload = {
        request: keptFields(request),
        amount: writeMoney(money),
        expiresAt,
        ...(payer && { payer: payer.accountNo, isDefaultPayer: payer.id === merchant.payerAccount }),
      };
      const newAccounts = settlement?.isNew === true ? [settlement.account] : [];
      return { kind: "effect", effect: { ...decision.effect, newAccounts, payload } };
    },
    response: ({ request, amount, expiresAt }, { id, at }) => ({
      additionalInfo: { validUpTo: formatTimestamp(expiresAt) },
      amount,
      paidTime: formatTimestamp(at),
      referenceNo: toReferenceNo(id),
      partnerReferenceNo: request.partnerReferenceNo,
    }),
    rejectionPayload: (order) => {
      const { request, parsed } = order;
      const applies = defaultAmount(order);
      return {
        amount: request.amount ? withDecimals(request.amount) : applies ? writeMoney(applies) : zeroAmount,
        ...(parsed.externalStoreId !== undefined && { externalStoreId: parsed.externalStoreId }),
      };
    },
    rejectionResponse: (payload, { at }) => ({ amount: payload.amount, paidTime: formatTimestamp(at) }),
    latestStatus: ({ id }, deps) => statusOfHold(id, deps),
  },
);

/** Spec D7: an amount left out is the merchant's, and so is a payer; one payer may be named in two ways. */
function isSamePayment({ request, parsed, merchant, customerAccountNo }: PaymentOrder, first: PaymentPayload): boolean {
  const isDefault = readMoney(first.amount)?.amount === merchant?.defaultHoldAmount;
  const named = customerAccountNo ?? parsed.sourceAccountNo;
  return (
    isSameAmount(request.amount, first.request.amount, { amount: first.amount, isAll: isDefault }) &&
    (named === undefined ? first.isDefaultPayer === true : named === first.payer) &&
    haveSameFields(request, first.request, ["merchantId", "subMerchantId"])
  );
}

function locksOf({ id, parsed, merchant, customerAccountNo }: PaymentOrder): Locks {
  if (!merchant) return {};
  const named = customerAccountNo ?? parsed.sourceAccountNo;
  const { key, currency, settlementAccount, payerAccount } = merchant;
  const payers = named === undefined ? [] : [named];
  if (!isOfHome(id)) return { accountNumbers: [...payers, internalAccountNo("merchant", currency, key)] };
  if (named !== undefined) return { accountNumbers: payers, accountIds: [settlementAccount] };
  return { accountIds: payerAccount === undefined ? [settlementAccount] : [settlementAccount, payerAccount] };
}

/** True: the command of that id is decided in home, where merchants have their accounts. */
function isOfHome(id: string): boolean {
  return cellOf(id) === homeCell;
}

/** The account that the merchant is paid on in this cell; in others than home it is opened by the first payment. */
function settlementOf(
  { id }: PaymentOrder,
  { key, currency, settlementAccount }: MerchantTerms,
  found: LockedRows,
): { readonly account: Account; readonly isNew: boolean } | undefined {
  const account = isOfHome(id)
    ? found.accountById(settlementAccount)
    : found.internalAccount("merchant", currency, key);
  if (account) return { account, isNew: false };
  return isOfHome(id) ? undefined : { account: newMerchantAccount(newId(cellOf(id)), currency, key), isNew: true };
}

/** The first that is present decides, and is never skipped because it fails. */
function payerOf({ id, parsed, merchant, customerAccountNo }: PaymentOrder, found: LockedRows): Account | undefined {
  const named = customerAccountNo ?? parsed.sourceAccountNo;
  if (named !== undefined) return found.account(named);
  return merchant?.payerAccount === undefined || !isOfHome(id) ? undefined : found.accountById(merchant.payerAccount);
}

/** The requested amount, else the merchant's default amount. */
function amountOf(order: PaymentOrder): Amount | "tooFine" | undefined {
  return readOptional(order.request.amount) ?? defaultAmount(order);
}

/** The merchant's, in its settlement account's currency. */
function defaultAmount({ merchant }: PaymentOrder): Amount | undefined {
  const amount = merchant?.defaultHoldAmount;
  return amount === undefined || !merchant ? undefined : { amount, currency: merchant.currency };
}
