/** Transit accounts and their entries, as a shipper reads them: committed rows, nothing locked. */
import type { Pool, PoolClient } from "pg";
import { idAt, lowestId, timeOf } from "../../basics/ids.ts";
import { type Minor, minor, zero } from "../../ledger/money.ts";
import { queryRows } from "../postgres/query-rows.ts";
import { epochMs } from "../statements/select-list.ts";

export interface TransitPosition {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly balance: Minor;
}

/** By account number; those that were not opened yet are left out. */
export async function readTransitPositions(
  pool: Pool | PoolClient,
  accountNos: readonly string[],
): Promise<ReadonlyMap<string, TransitPosition>> {
  const rows = await queryRows(pool, {
    name: "read-transit-positions",
    text: "select account_no, id, name, version, balance from accounts where account_no = any($1::text[])",
    values: [accountNos],
  });
  return new Map(
    rows.map(([accountNo, id, name, version, balance]) => [
      accountNo as string,
      { id: id as string, name: name as string, version: Number(version), balance: minor(BigInt(balance as string)) },
    ]),
  );
}

/** Balance of a transit account behind the entry of that version, also of the last one that is detached; undefined: it is not there. */
export async function readTransitBalance(
  pool: Pool | PoolClient,
  account: string,
  version: number,
): Promise<Minor | undefined> {
  if (version === 0) return zero;
  const [row] = await queryRows(pool, {
    name: "read-transit-balance",
    text: `select balance_after from entries where account_id = $1::uuid and version = $2::bigint
      union all select balance_after from detached_balances where account_id = $1::uuid and version = $2::bigint limit 1`,
    values: [account, version],
  });
  return row && minor(BigInt(row[0] as string));
}

export interface StoredTransitEntry {
  readonly version: number;
  readonly amount: Minor;
  readonly balanceAfter: Minor;
  readonly journalId: string;
  /** Business time (epoch ms). */
  readonly at: number;
  /** Stored payload of its payment, as JSON text; undefined: there is none. */
  readonly payload: string | undefined;
}

/** A command commits within this time after its id was made, whichever node made it; as the audit has it (ms). */
const lateCommitMs = 360_000;

/** Entries that one reading answers at most: as many as a batch has commands. */
const transitPageMax = 256;

export interface TransitPage {
  /** Id of the account. */
  readonly account: string;
  /** Version after which the page begins. */
  readonly after: number;
  /** Journal of the entry of that version: partitions that ended before it are not looked at. Undefined: all are. */
  readonly afterJournal: string | undefined;
}

/**
 * Entries in the order of their versions, without a gap; fewer than `transitPageMax` where a version is missing, or nothing follows.
 * Each partition is read by its key, between two versions.
 */
export async function readTransitEntries(
  pool: Pool | PoolClient,
  { account, after, afterJournal }: TransitPage,
): Promise<readonly StoredTransitEntry[]> {
  const rows = await queryRows(pool, {
    name: "read-transit-entries",
    text: `select e.version, e.amount, e.balance_after, e.journal_id, ${epochMs("e.created_at")}, coalesce(r.payload, a.payload)
      from (select * from entries where account_id = $1::uuid and version > $2::bigint and version <= $3::bigint
          and journal_id >= $4::uuid order by version limit ${transitPageMax}) e
        left join lateral (select payload from accepted_requests where id = e.journal_id limit 1) r on true
        left join lateral (select q.payload from payment_requests p
          cross join lateral (select payload from accepted_requests where id = p.id limit 1) q
          where r.payload is null and p.approval_journal_id = e.journal_id limit 1) a on true
      order by e.version`,
    values: [account, after, after + transitPageMax, firstJournal(afterJournal)],
  });
  const entries = rows.map(([version, amount, balanceAfter, journalId, at, payload]) => ({
    version: Number(version),
    amount: minor(BigInt(amount as string)),
    balanceAfter: minor(BigInt(balanceAfter as string)),
    journalId: journalId as string,
    at: Number(at),
    payload: payload ?? undefined,
  }));
  const gap = entries.findIndex((entry, position) => entry.version !== after + 1 + position);
  return gap < 0 ? entries : entries.slice(0, gap);
}

/** Ids of journals are made before they are committed, so a later version may have an earlier one. */
function firstJournal(afterJournal: string | undefined): string {
  return afterJournal === undefined ? lowestId : idAt(timeOf(afterJournal) - lateCommitMs);
}
