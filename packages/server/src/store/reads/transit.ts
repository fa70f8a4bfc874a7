/** Transit accounts and their entries, as a shipper reads them: committed rows, nothing locked. */
import type { Pool, PoolClient } from "pg";
import { idAt, lowestId, timeOf } from "../../basics/ids.ts";
import { internalAccountNo } from "../../ledger/accounts/internal-accounts.ts";
import { type Minor, minor, zero } from "../../ledger/money.ts";
import { postingKinds } from "../../ledger/posting.ts";
import type { TransitMoney } from "../../ledger/transit/mirror.ts";
import { queryRows } from "../postgres/query-rows.ts";
import { hasId, idValues } from "../statements/id-range.ts";
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

interface CellPool {
  readonly cell: number;
  readonly pool: Pool | PoolClient;
}

export interface TransitPair {
  /** The account of what the payer's cell has sent to the payee's; undefined: nothing. */
  readonly out: TransitPosition | undefined;
  /** The payee's cell's account that mirrors it. */
  readonly mirror: TransitPosition | undefined;
}

/** The mirror first: what is sent meanwhile does not make the account look behind it. */
export async function readTransitPair(from: CellPool, to: CellPool, currency: string): Promise<TransitPair> {
  const inNo = internalAccountNo("transit", currency, "in", from.cell);
  const outNo = internalAccountNo("transit", currency, "out", to.cell);
  const mirror = (await readTransitPositions(to.pool, [inNo])).get(inNo);
  const out = (await readTransitPositions(from.pool, [outNo])).get(outNo);
  return { out, mirror };
}

/** Numbers of merchants' accounts in this cell with money on them, behind a number. */
export async function listMerchantsWithMoney(pool: Pool, after: string, limit: number): Promise<readonly string[]> {
  const rows = await queryRows(pool, {
    name: "list-merchants-with-money",
    text: "select account_no from accounts where purpose = 'merchant' and balance > held and account_no > $1 order by account_no limit $2::int",
    values: [after, limit],
  });
  return rows.map(([accountNo]) => accountNo as string);
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
  readonly of: TransitMoney;
  /** Business time (epoch ms). */
  readonly at: number;
  /** Stored payload of its payment, as JSON text; undefined: there is none. */
  readonly payload: string | undefined;
  /** Number of the account whose money it moves: a merchant's, or one that has moved; undefined: it is a payment's. */
  readonly ownerNo: string | undefined;
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
    text: `select version, amount, balance_after, journal_id, ${epochMs("created_at")}, kind
      from entries where account_id = $1::uuid and version > $2::bigint and version <= $3::bigint and journal_id >= $4::uuid
      order by version limit ${transitPageMax}`,
    values: [
      account,
      after,
      after + transitPageMax,
      afterJournal === undefined ? lowestId : lowestBehind(afterJournal),
    ],
  });
  const gap = rows.findIndex(([version], position) => Number(version) !== after + 1 + position);
  const found = gap < 0 ? rows : rows.slice(0, gap);
  const journalIds = found.map(([, , , journalId]) => journalId as string);
  const payloads = await readPayloads(pool, journalIds);
  const moving = found.flatMap(([, , , journalId, , kind]) =>
    moneyOf(kind) === "payment" ? [] : [journalId as string],
  );
  const owners = await readOwners(pool, moving);
  return found.map(([version, amount, balanceAfter, journalId, at, kind]) => ({
    version: Number(version),
    amount: minor(BigInt(amount as string)),
    balanceAfter: minor(BigInt(balanceAfter as string)),
    journalId: journalId as string,
    of: moneyOf(kind),
    at: Number(at),
    payload: payloads.get(journalId as string),
    ownerNo: owners.get(journalId as string),
  }));
}

function moneyOf(kind: unknown): TransitMoney {
  const number = Number(kind);
  return number === postingKinds.sweep ? "sweep" : number === postingKinds.relocation ? "relocation" : "payment";
}

/**
 * Payloads of the requests that made these journals, or whose approvals did. Statements of their own: a page with its requests in one
 * looked each up in every partition, and took three times as long.
 */
async function readPayloads(
  pool: Pool | PoolClient,
  journalIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (journalIds.length === 0) return new Map();
  const payloads = new Map(
    await readRequests(
      pool,
      journalIds.map((id) => [id, id]),
    ),
  );
  const others = journalIds.filter((id) => !payloads.has(id));
  if (others.length === 0) return payloads;
  const approvals = await queryRows(pool, {
    name: "read-transit-approvals",
    text: "select id, approval_journal_id from payment_requests where approval_journal_id = any($1::uuid[])",
    values: [others],
  });
  const asked = approvals.map(([id, journalId]) => [id as string, journalId as string] as const);
  for (const [journalId, payload] of await readRequests(pool, asked)) payloads.set(journalId, payload);
  return payloads;
}

/** Entries of journals, found by these alone: a merchant's account has millions of others. */
const movedBy = `with moved as materialized (select journal_id, account_id, amount from entries where ${hasId("journal_id")})`;

/** Accounts whose money these journals move, which no request made, by journal: a merchant's own, or the one that has moved. */
async function readOwners(
  pool: Pool | PoolClient,
  journalIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (journalIds.length === 0) return new Map();
  const rows = await queryRows(pool, {
    name: "read-transit-owners",
    text: `${movedBy} select distinct on (m.journal_id) m.journal_id, a.account_no from moved m join accounts a on a.id = m.account_id
      where a.purpose in ('merchant', 'customer') order by m.journal_id, a.purpose desc`,
    values: idValues(journalIds),
  });
  return new Map(rows.map(([journalId, accountNo]) => [journalId as string, accountNo as string]));
}

/** Numbers of the accounts that these journals credited, by journal. */
export async function readCredited(
  pool: Pool | PoolClient,
  journalIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (journalIds.length === 0) return new Map();
  const rows = await queryRows(pool, {
    name: "read-credited",
    text: `${movedBy} select m.journal_id, a.account_no from moved m join accounts a on a.id = m.account_id where m.amount > 0`,
    values: idValues(journalIds),
  });
  return new Map(rows.map(([journalId, accountNo]) => [journalId as string, accountNo as string]));
}

/** Pairs of a journal and its request's payload. `asked`: ids of requests, each with its journal's. */
async function readRequests(
  pool: Pool | PoolClient,
  asked: readonly (readonly [id: string, journalId: string])[],
): Promise<readonly (readonly [journalId: string, payload: string])[]> {
  if (asked.length === 0) return [];
  const journals = new Map(asked);
  const rows = await queryRows(pool, {
    name: "read-transit-requests",
    text: `select id, payload from accepted_requests where ${hasId("id")}`,
    values: idValues([...journals.keys()]),
  });
  return rows.map(([id, payload]) => [journals.get(id as string) as string, payload as string]);
}

/** No entry behind that of a journal has a lower one: ids are made before they are committed, and so long before at most. */
export function lowestBehind(journalId: string): string {
  return idAt(timeOf(journalId) - lateCommitMs);
}
