/**
 * Numbers of bulks and payments. They follow from the list's name and positions alone: after a crash the same list gets the
 * same numbers, and the provider accepts a number once (spec D7).
 */
import { hashBody } from "@titian/contract";
import type { BulkOrder, NumberedPayment } from "./bulk.ts";

/** Leaves room in the 64 characters of a number for position and retry. */
const namePattern = /^[\w.-]{1,40}$/;
const maxNumber = 64;

/** Throws a TypeError. */
export function checkName(name: string): string {
  if (typeof name === "string" && namePattern.test(name)) return name;
  throw new TypeError("name must be 1 to 40 letters, digits, '-', '_' or '.'");
}

/** The payments with their numbers: their own, or `PAYROLL-000001` for the first of the list PAYROLL. */
export function numberPayments({ name, payments }: BulkOrder): readonly NumberedPayment[] {
  return payments.map(({ partnerReferenceNo, ...payment }, index) => ({
    partnerReferenceNo: partnerReferenceNo ?? `${name}-${String(index + 1).padStart(6, "0")}`,
    ...payment,
  }));
}

/** `position` counts from 0, the numbers from 1: `PAYROLL-B1`. */
export function bulkNumber(name: string, position: number): string {
  return `${name}-B${position + 1}`;
}

/** `X-EXTERNAL-ID` of a bulk: 32 digits that follow from its number. */
export function bulkExternalId(partnerBulkId: string): string {
  const digest = BigInt(`0x${hashBody(new TextEncoder().encode(`bulk ${partnerBulkId}`))}`);
  return String(digest % 10n ** 32n).padStart(32, "0");
}

/**
 * The number of the next try of a payment that was rejected or returned: `PAYROLL-000001` becomes `PAYROLL-000001-R2`, then
 * `PAYROLL-000001-R3`. Throws a TypeError where it would be longer than 64 characters.
 */
export function nextNumber(partnerReferenceNo: string): string {
  const [, base = partnerReferenceNo, count = "1"] = /^(.+)-R(\d{1,4})$/.exec(partnerReferenceNo) ?? [];
  const next = `${base}-R${Number(count) + 1}`;
  if (next.length <= maxNumber) return next;
  throw new TypeError(`partnerReferenceNo ${partnerReferenceNo} is too long for a further try: give it another number`);
}
