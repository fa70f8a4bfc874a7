/** Terms of rails: limits, hours, fees (spec D11). All of it is data. */
import type { Minor } from "../money.ts";

/** interbank: online, one by one (18, 20) · rtgs: large amounts, one by one (22) · skn: in batches (23). */
export const railNames = ["interbank", "rtgs", "skn"] as const;
export type RailName = (typeof railNames)[number];

export interface RailTerms {
  readonly name: RailName;
  /** ISO 4217; all amounts here are minor units of it. */
  readonly currency: string;
  /** Minimum amount. */
  readonly min: Minor;
  /** Maximum amount; absent: no limit. */
  readonly max?: Minor;
  readonly fee: Minor;
  /** Largest part that the sender pays of a fee that is shared (`SHA`, `1000`): 1,000.00 of IDR. */
  readonly sharedFeeMax: Minor;
  /** Minutes of the day in Jakarta, from (included) to (excluded), on working days; absent: always open. */
  readonly hours?: { readonly from: number; readonly to: number };
  /** Minutes of the working day in Jakarta at which it settles what waits, in order; absent: at once. */
  readonly settlements?: readonly number[];
}

/** A bank that can be reached. */
export interface Bank {
  /** Three digits. */
  readonly code: string;
  /** BIC of 8 characters; a BIC of 11 is this one with a branch. */
  readonly bic: string;
  readonly name: string;
}

/** Days without settlement, as `2026-12-25` in Jakarta, beside Saturdays and Sundays. */
export type Holidays = ReadonlySet<string>;

/** Reference data of rails. */
export interface RailData {
  readonly rails: Readonly<Record<RailName, RailTerms>>;
  readonly holidays: Holidays;
  /** By code and by BIC of 8. */
  readonly banks: ReadonlyMap<string, Bank>;
  /** Our own bank's code; transfers to it do not leave. */
  readonly ownBankCode: string;
}
