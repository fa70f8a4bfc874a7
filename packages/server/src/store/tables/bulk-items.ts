/**
 * Items of a new bulk: a key, a record and a transfer each. They are written in chunks before anything is locked, and are there only
 * if the same transaction accepts their bulk.
 */
import type { RailTransfer } from "../../ledger/transfers/transfer.ts";
import { bigint, code, encodeInsert, type EncodedRows, int, text, uuid } from "../statements/row-statements.ts";
import type { Session, Statement, TextRow } from "../postgres/session.ts";
import { encodeFreeRequestKeys } from "./requests/request-keys.ts";

export interface NewBulkItem {
  readonly transfer: RailTransfer & { readonly bulk: string };
  /** In the request, from 0. */
  readonly position: number;
  /** External id of the bulk's request. */
  readonly externalId: string;
  readonly partnerReferenceKey: string;
  /** Body hash of the bulk's request. */
  readonly bodyHash: string;
  readonly requestFingerprint: string;
  /** JSON text: the item with what it shares with its bulk. */
  readonly payload: string;
  /** Free-form parts as received; see `packFreeForm`. */
  readonly freeForm: string | undefined;
}

// A number that another request has is found by the rows that were not added; a lost commit by all of them.
const end = "on conflict do nothing";

const encodeRecords = encodeInsert<NewBulkItem>({
  name: "insert-records-of-items",
  table: "accepted_requests",
  columns: {
    id: uuid(({ transfer }) => transfer.id),
    partner: uuid(({ transfer }) => transfer.partner),
    service: int(({ transfer }) => transfer.service),
    partner_reference_key: uuid((row) => row.partnerReferenceKey),
    body_hash: uuid((row) => row.bodyHash),
    request_fingerprint: uuid((row) => row.requestFingerprint),
    external_id: text((row) => row.externalId),
    payload: text((row) => row.payload),
    additional_info: text((row) => row.freeForm),
  },
  rest: { accepted_at: "$1::timestamptz" },
  end,
  isCounted: true,
});

const encodeTransfers = encodeInsert<NewBulkItem>({
  name: "insert-transfers-of-items",
  table: "transfers",
  columns: {
    id: uuid(({ transfer }) => transfer.id),
    partner: uuid(({ transfer }) => transfer.partner),
    service: int(({ transfer }) => transfer.service),
    rail: code(({ transfer }) => transfer.rail),
    source_account_id: uuid(({ transfer }) => transfer.source),
    currency: code(({ transfer }) => transfer.currency),
    amount: bigint(({ transfer }) => transfer.sentAmount),
    fee: bigint(({ transfer }) => transfer.fee),
    daily_limit_amount: bigint(({ transfer }) => transfer.dailyLimitAmount),
    business_date: int(({ transfer }) => transfer.businessDate),
    suspense_part: int(({ transfer }) => transfer.suspensePart),
    bulk_id: uuid(({ transfer }) => transfer.bulk),
    bulk_position: int((row) => row.position),
  },
  rest: {
    state: "'queued'",
    is_open: "true",
    resolved_synchronously: "false",
    version: "0",
    accepted_at: "$1::timestamptz",
    submitted_at: "$1::timestamptz",
  },
  end,
  isCounted: true,
});

/** Items of one chunk as their statements. */
export interface EncodedItems {
  readonly count: number;
  readonly keys: EncodedRows;
  readonly records: EncodedRows;
  readonly transfers: EncodedRows;
}

/** The statements of one chunk. Items are in the order of their keys, so that no two bulks wait for each other. */
export function encodeItems(items: readonly NewBulkItem[], at: string): EncodedItems {
  const keys = items.map(({ transfer, partnerReferenceKey }) => ({ key: partnerReferenceKey, requestId: transfer.id }));
  return {
    count: items.length,
    keys: encodeFreeRequestKeys(keys),
    records: encodeRecords(items, at),
    transfers: encodeTransfers(items, at),
  };
}

const savepoint: Statement = { name: "savepoint-bulk", text: "savepoint bulk_items" };
const rollback: Statement = { name: "rollback-to-bulk", text: "rollback to savepoint bulk_items" };

/**
 * Sends the items of a bulk in the transaction that decides on it, before its locks: whatever is sent later is run later.
 * Whether all were added: false where another request has the number of one.
 */
export async function writeItems(session: Session, chunks: readonly EncodedItems[]): Promise<boolean> {
  const sent: Promise<readonly TextRow[]>[] = [session.run(savepoint)];
  for (const { keys, records, transfers } of chunks) sent.push(keys(session), records(session), transfers(session));
  const added = (await Promise.all(sent)).reduce((sum, [counted]) => sum + Number(counted?.[0] ?? 0), 0);
  return added === chunks.reduce((sum, { count }) => sum + 3 * count, 0);
}

/** Takes the items of a bulk back that was not accepted. */
export function removeItems(session: Session): Promise<unknown> {
  return session.run(rollback);
}
