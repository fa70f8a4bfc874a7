/** The money of an accepted call, as the request or the answer names it. */
import { currencyScale, isObject, operations, type OperationRow } from "@titian/contract";
import type { ObservedCall } from "@titian/server";
import { parseMinor } from "@titian/server/admin";

export interface MovedAmount {
  readonly currency: string;
  /** Minor units. */
  readonly amount: bigint;
}

/** Undefined for a rejected call, and for one that names no amount. */
export function movedAmount({ operation, rejection, status, fields, response }: ObservedCall): MovedAmount | undefined {
  if (operation === undefined || rejection !== undefined || status === 0) return undefined;
  const { about }: OperationRow = operations[operation];
  const [name, ofItem] = about.amount?.split("[].") ?? [];
  if (name === undefined) return undefined;
  if (ofItem !== undefined) return sumOfItems(fields?.[name], ofItem);
  return readMoney(fields?.[name]) ?? readMoney(memberOf(response, name));
}

function sumOfItems(items: unknown, name: string): MovedAmount | undefined {
  if (!Array.isArray(items)) return undefined;
  let sum: MovedAmount | undefined;
  for (const item of items as readonly unknown[]) {
    // A bulk has one currency.
    const one = isObject(item) ? readMoney(item[name]) : undefined;
    if (one !== undefined) sum = { currency: one.currency, amount: (sum?.amount ?? 0n) + one.amount };
  }
  return sum;
}

function readMoney(money: unknown): MovedAmount | undefined {
  const { value, currency } = isObject(money) ? money : {};
  if (typeof currency !== "string" || typeof value !== "string") return undefined;
  const scale = currencyScale(currency);
  const amount = scale === undefined ? undefined : parseMinor(value, scale);
  return amount === undefined ? undefined : { currency, amount };
}

/** A member of our own answer. */
function memberOf(response: string, name: string): unknown {
  const answer: unknown = JSON.parse(response);
  return isObject(answer) ? answer[name] : undefined;
}
