/** Compares requests under one number by their meaning (spec D7). */
import { isDeepStrictEqual } from "node:util";
import type { Money } from "@titian/contract";
import { amountFingerprint } from "./money.ts";

/** The executed amount, and whether it was all there was. */
interface Done {
  readonly amount: Money;
  readonly isAll: boolean;
}

/** An absent amount means all there was; a given one must be the executed amount. */
export function isSameAmount(asked: Money | undefined, first: Money | undefined, done: Done): boolean {
  if (asked) return isDeepStrictEqual(amountFingerprint(asked), amountFingerprint(done.amount));
  return first === undefined || done.isAll;
}

export function haveSameFields<Request extends object>(
  one: Request,
  other: Request,
  fields: readonly (keyof Request)[],
): boolean {
  return fields.every((field) => one[field] === other[field]);
}
