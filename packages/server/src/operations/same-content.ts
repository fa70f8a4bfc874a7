/** Whether two requests under one number say the same in other words (spec D7): each part by its meaning. */
import { isDeepStrictEqual } from "node:util";
import type { Money } from "@titian/contract";
import { amountFingerprint } from "./money.ts";

/** What was done under the number, and whether that was all there was. */
interface Done {
  readonly amount: Money;
  readonly isAll: boolean;
}

/** An amount left out means all there was; one that was said means as much as was done. */
export function isSameAmount(asked: Money | undefined, first: Money | undefined, done: Done): boolean {
  if (asked) return isDeepStrictEqual(amountFingerprint(asked), amountFingerprint(done.amount));
  return first === undefined || done.isAll;
}

export function areSame<Request extends object>(
  one: Request,
  other: Request,
  fields: readonly (keyof Request)[],
): boolean {
  return fields.every((field) => one[field] === other[field]);
}
