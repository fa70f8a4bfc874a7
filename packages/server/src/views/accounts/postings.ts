/** Postings of journals. */
import { toReferenceNo } from "../../basics/ids.ts";
import { postingKinds } from "../../ledger/posting.ts";
import { listPostings as readPostings } from "./posting-rows.ts";
import type { QueryDeps } from "../query-deps.ts";

export interface PostingSummary {
  /** Such as `submission`, `settlement` or `fee`. */
  readonly kind: string;
  /** Minor units. */
  readonly amount: bigint;
  readonly fromAccountNo: string;
  readonly toAccountNo: string;
  /** Ledger balances after it, in minor units. */
  readonly fromBalanceAfter: bigint;
  readonly toBalanceAfter: bigint;
  /** Business time (epoch ms). */
  readonly at: number;
  /** Of its journal. */
  readonly referenceNo: string;
}

const kindNames = new Map<number, string>(Object.entries(postingKinds).map(([name, kind]) => [kind, name]));

/** Name of a stored posting kind. */
export function kindNameOf(kind: number): string {
  return kindNames.get(kind) ?? String(kind);
}

/** Sorted by journal, then kind. */
export async function listPostings(
  { pool }: Pick<QueryDeps, "pool">,
  journalIds: readonly string[],
): Promise<readonly PostingSummary[]> {
  return (await readPostings(pool, journalIds)).map(({ kind, journalId, ...posting }) => ({
    ...posting,
    kind: kindNameOf(kind),
    referenceNo: toReferenceNo(journalId),
  }));
}
