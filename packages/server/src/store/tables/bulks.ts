/** Bulks: locked by the batch that decides on them, written once a batch. */
import type { Bulk } from "../../ledger/bulks/bulk.ts";
import { minor } from "../../ledger/money.ts";
import { bigint, code, insertRows, int, plain, updateRows, uuid } from "../statements/row-statements.ts";
import { selectList } from "../statements/select-list.ts";
import type { TextRow } from "../postgres/session.ts";
import { createRowLocks } from "./locked-row.ts";

export const bulkColumns = selectList(
  [
    "id, partner, source_account_id, currency, item_count, amount, fee, settled_count, rejected_count, returned_count",
    "rejected_amount, rejected_fee, version",
  ],
  ["accepted_at", "ended_at"],
);

/** Locks of transactions on rows. */
export const bulkLocks = createRowLocks("bulks", bulkColumns.sql, readBulk);

export const insertBulks = insertRows<Bulk>(
  "bulks",
  {
    id: uuid((row) => row.id),
    partner: uuid((row) => row.partner),
    source_account_id: uuid((row) => row.source),
    currency: code((row) => row.currency),
    item_count: int((row) => row.itemCount),
    amount: bigint((row) => row.amount),
    fee: bigint((row) => row.fee),
  },
  {
    settled_count: "0",
    rejected_count: "0",
    returned_count: "0",
    rejected_amount: "0",
    rejected_fee: "0",
    is_open: "true",
    version: "0",
    accepted_at: "$1::timestamptz",
  },
);

export interface BulkUpdate {
  readonly oldVersion: number;
  readonly bulk: Bulk;
}

const optionalTime = plain("timestamptz");

/** Writes what became of locked bulks; fails with 22012 if one of them is not at its old version. */
export const updateBulks = updateRows<BulkUpdate>({
  name: "update-bulks",
  table: "bulks",
  where: {
    id: uuid(({ bulk }) => bulk.id),
    version: int((update) => update.oldVersion),
  },
  set: {
    version: int(({ bulk }) => bulk.version),
    settled_count: int(({ bulk }) => bulk.settledCount),
    rejected_count: int(({ bulk }) => bulk.rejectedCount),
    returned_count: int(({ bulk }) => bulk.returnedCount),
    rejected_amount: bigint(({ bulk }) => bulk.rejectedAmount),
    rejected_fee: bigint(({ bulk }) => bulk.rejectedFee),
    ended_at: optionalTime(({ bulk: { endedAt } }) =>
      endedAt === undefined ? undefined : new Date(endedAt).toISOString(),
    ),
  },
  also: { is_open: "c.ended_at is null" },
});

/** A row of `bulkColumns`. */
export function readBulk(row: TextRow): Bulk {
  const { at } = bulkColumns;
  const amount = (position: number) => minor(BigInt(row[position] as string));
  const endedAt = row[at.ended_at];
  return {
    id: row[at.id] as string,
    partner: row[at.partner] as string,
    source: row[at.source_account_id] as string,
    currency: row[at.currency] as string,
    itemCount: Number(row[at.item_count]),
    amount: amount(at.amount),
    fee: amount(at.fee),
    settledCount: Number(row[at.settled_count]),
    rejectedCount: Number(row[at.rejected_count]),
    returnedCount: Number(row[at.returned_count]),
    rejectedAmount: amount(at.rejected_amount),
    rejectedFee: amount(at.rejected_fee),
    ...(endedAt == null ? {} : { endedAt: Number(endedAt) }),
    version: Number(row[at.version]),
    at: Number(row[at.accepted_at]),
  };
}
