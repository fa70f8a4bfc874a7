/** The services that send over a rail, each with an amount it carries and its fee as the release has it. */
import { toMinor } from "../control.ts";

export type RailName = "interbank" | "rtgs" | "skn";

export interface RailService {
  readonly service: "18" | "22" | "23";
  readonly path: string;
  readonly rail: RailName;
  /** Decimal text in IDR, and the same in minor units. */
  readonly value: string;
  readonly amount: bigint;
  readonly fee: bigint;
}

const of = (
  service: RailService["service"],
  path: string,
  rail: RailName,
  value: string,
  fee: string,
): RailService => ({
  service,
  path,
  rail,
  value,
  amount: toMinor(value),
  fee: toMinor(fee),
});

export const interbank = of("18", "transfer-interbank", "interbank", "10000.00", "2500.00");
export const rtgs = of("22", "transfer-rtgs", "rtgs", "150000000.00", "25000.00");
export const skn = of("23", "transfer-skn", "skn", "10000.00", "2900.00");
export const railServices = [interbank, rtgs, skn] as const;
