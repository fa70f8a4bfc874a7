/** Where the money of transfers over rails is, in minor units. */
import { type Control, toMinor } from "../control.ts";
import type { RailName, RailService } from "./rail-services.ts";

/** Ledger balances, or what was added to them: of the payer, and of our own accounts for the rail. Minor units. */
export interface RailMoney {
  readonly payer: bigint;
  readonly suspense: bigint;
  readonly clearing: bigint;
  readonly fee: bigint;
}

/** Money that a transfer of the service's amount, with the fee on top, adds to each account in each place it can be. */
export function moneyOf({ amount, fee }: Pick<RailService, "amount" | "fee">) {
  const taken = amount + fee;
  const none: RailMoney = { payer: 0n, suspense: 0n, clearing: 0n, fee: 0n };
  return {
    none,
    inTransit: { ...none, payer: -taken, suspense: taken },
    settled: { ...none, payer: -taken, clearing: amount, fee },
    returned: { ...none, payer: -fee, fee },
  } as const satisfies Record<string, RailMoney>;
}

/** Ledger balances as they are. */
export async function moneyAt(control: Control, rail: RailName, payer: string): Promise<RailMoney> {
  const { rails } = await control.call<{ readonly rails: readonly Suspense[] }>("GET", "rails");
  const own = (purpose: string) => balanceOf(control, `${purpose}:${rail}:IDR`);
  const [atPayer, clearing, fee] = await Promise.all([balanceOf(control, payer), own("clearing"), own("fee")]);
  const suspense = toMinor(rails.find((one) => one.rail === rail)?.suspense ?? "");
  return { payer: atPayer, suspense, clearing, fee };
}

/** Sum of all parts, by `GET /sandbox/rails`. */
interface Suspense {
  readonly rail: RailName;
  readonly suspense: string;
}

/** Our own accounts are opened when first needed: nothing is on one that is not there. */
async function balanceOf(control: Control, accountNo: string): Promise<bigint> {
  try {
    return toMinor((await control.account(encodeURIComponent(accountNo))).ledgerBalance);
  } catch (error) {
    if (error instanceof Error && error.message.includes("unknownAccount")) return 0n;
    throw error;
  }
}

export function difference(now: RailMoney, before: RailMoney): RailMoney {
  return {
    payer: now.payer - before.payer,
    suspense: now.suspense - before.suspense,
    clearing: now.clearing - before.clearing,
    fee: now.fee - before.fee,
  };
}
