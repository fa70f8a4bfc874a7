/** `X-EXTERNAL-ID`, the idempotency key: 32 digits, the form that every provider accepts (spec D5). */
import { headerPatterns } from "@titian/contract";
import type { Clock } from "./clock.ts";

const randomDigits = 19;
const random = new BigUint64Array(1);

/** 13 digits of the time in milliseconds, then 19 random ones: unique, and sortable by creation. */
export function newExternalId(clock: Clock): string {
  crypto.getRandomValues(random);
  const tail = (random[0] ?? 0n) % 10n ** BigInt(randomDigits);
  return `${String(clock.now()).padStart(13, "0")}${tail.toString().padStart(randomDigits, "0")}`;
}

/** The id if it is valid; throws a TypeError. */
export function checkExternalId(externalId: string): string {
  if (headerPatterns.externalId.test(externalId)) return externalId;
  throw new TypeError("externalId must be 1 to 36 letters, digits, '-', '_' or '.' (32 digits suit every provider)");
}
