/** An operator's decision on acts that others have proposed. */
import { createHash } from "node:crypto";
import type { StatementPool } from "../store/postgres/connect.ts";
import { listProposed } from "../store/reads/acts.ts";
import { type ActState, approveActs, decideAct } from "../store/tables/acts.ts";

export interface ActDeps {
  /** Connections of the operator. */
  readonly database: StatementPool;
}

/**
 * `hash`: of the proposal as it was read, in hexadecimal digits. @returns the state of the act. @throws PostgreSQL's own error
 * where the operator has no right to it
 */
export function approveAct({ database }: ActDeps, id: string, hash: string): Promise<ActState> {
  return decideAct(database, id, { hash });
}

/** As `approveAct`. */
export function refuseAct(
  { database }: ActDeps,
  id: string,
  refusal: { readonly hash: string; readonly reason: string },
): Promise<ActState> {
  return decideAct(database, id, refusal);
}

/** Acts of one kind that wait for their approval, to be decided on at once. */
export interface ActSheet {
  readonly kind: string;
  readonly count: number;
  /** In minor units, by currency. */
  readonly totals: readonly { readonly currency: string; readonly amount: bigint }[];
  /** SHA-256 over the hashes of its acts, in hexadecimal digits. */
  readonly hash: string;
}

const sheetMax = 1_000;

/** At most 1,000 acts; those behind them are the next sheet. */
export async function readSheet({ database }: ActDeps, kind: string): Promise<ActSheet> {
  const acts = await listProposed(database, kind, sheetMax);
  const totals = new Map<string, bigint>();
  for (const { after } of acts) {
    const { amount, balance, currency } = after;
    const moved = amount ?? balance;
    // One that no node can read moves nothing, and spoils no sheet.
    if (typeof moved !== "string" || !/^\d+$/.test(moved) || typeof currency !== "string") continue;
    totals.set(currency, (totals.get(currency) ?? 0n) + BigInt(moved));
  }
  return {
    kind,
    count: acts.length,
    totals: [...totals].map(([currency, amount]) => ({ currency, amount })),
    hash: hashOf(acts),
  };
}

/**
 * Approves the sheet that was read, all of it or nothing; undefined: another one waits by now. @returns how many acts were
 * approved. @throws as `approveAct`
 */
export async function approveSheet({ database }: ActDeps, kind: string, hash: string): Promise<number | undefined> {
  const acts = await listProposed(database, kind, sheetMax);
  return hashOf(acts) === hash ? approveActs(database, acts) : undefined;
}

function hashOf(acts: readonly { readonly hash: string }[]): string {
  const all = createHash("sha256");
  for (const { hash } of acts) all.update(Buffer.from(hash, "hex"));
  return all.digest("hex");
}
