/** The money of an accepted call, as the request or the answer names it. */
import { currencyScale, type OperationName } from "@titian/contract";
import type { ObservedCall } from "@titian/server";
import { parseMinor } from "@titian/server/admin";

export interface MovedAmount {
  readonly currency: string;
  /** Minor units. */
  readonly amount: bigint;
}

/** The field with the amount, in the request or else in the answer. */
const amountFields: Readonly<Partial<Record<OperationName, string>>> = {
  authPayment: "amount",
  authCapture: "captureAmount",
  authVoid: "voidAmount",
  authRefund: "refundAmount",
  intrabankTransfer: "amount",
  interbankTransfer: "amount",
  requestForPayment: "amount",
  rtgsTransfer: "amount",
  sknTransfer: "amount",
};

/** Undefined for a rejected call, and for one that names no amount. */
export function movedAmount({ operation, rejection, status, fields, response }: ObservedCall): MovedAmount | undefined {
  if (operation === undefined || rejection !== undefined || status === 0) return undefined;
  if (operation === "interbankBulkTransfer") return sumOfItems(fields?.["bulkObject"]);
  const name = amountFields[operation];
  if (name === undefined) return undefined;
  return readMoney(fields?.[name]) ?? readMoney(memberOf(response, name));
}

function sumOfItems(items: unknown): MovedAmount | undefined {
  if (!Array.isArray(items)) return undefined;
  let sum: MovedAmount | undefined;
  for (const item of items as readonly unknown[]) {
    // A bulk has one currency.
    const one = typeof item === "object" && item !== null && "amount" in item ? readMoney(item.amount) : undefined;
    if (one !== undefined) sum = { currency: one.currency, amount: (sum?.amount ?? 0n) + one.amount };
  }
  return sum;
}

function readMoney(money: unknown): MovedAmount | undefined {
  if (typeof money !== "object" || money === null || !("value" in money) || !("currency" in money)) return undefined;
  const { value, currency } = money;
  if (typeof currency !== "string" || typeof value !== "string") return undefined;
  const scale = currencyScale(currency);
  const amount = scale === undefined ? undefined : parseMinor(value, scale);
  return amount === undefined ? undefined : { currency, amount };
}

/** A member of our own answer. */
function memberOf(response: string, name: string): unknown {
  const answer: unknown = JSON.parse(response);
  if (typeof answer !== "object" || answer === null) return undefined;
  return Object.entries(answer).find(([key]) => key === name)?.[1];
}
