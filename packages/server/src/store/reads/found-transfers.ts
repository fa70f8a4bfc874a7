/** Transfers that left the bank as operators see them: who pays, what was asked for, and when somebody looks next. */
import type { Pool } from "pg";
import type { RailTransfer } from "../../ledger/transfers/transfer.ts";
import { epochMs } from "../postgres/select-list.ts";
import type { TextRow } from "../postgres/session.ts";
import { readTransfer, transferColumns } from "../tables/transfers.ts";

export interface FoundTransfer {
  readonly transfer: RailTransfer;
  readonly payerAccountNo: string;
  readonly externalId: string;
  /** Facts of its write, as JSON text. */
  readonly facts: string;
  /** While it is open: when somebody looks after it next (business time, epoch ms). */
  readonly dueAt: number;
}

export interface TransferPage {
  /** Id above which the page begins; absent: from the oldest. */
  readonly after?: string | undefined;
  /** Business time (epoch ms) up to which they were accepted; absent: at any time. */
  readonly acceptedUntil?: number | undefined;
  /** At most so many. */
  readonly limit: number;
}

const foundColumns = `${transferColumns.sql}, (select account_no from accounts where accounts.id = source_account_id),
  (select external_id from accepted_requests r where r.id = transfers.id),
  (select payload from accepted_requests r where r.id = transfers.id),
  ${epochMs("next_inquiry_at")}`;

/** The transfer of this id, or the one that ended or came back in the journal of this id. */
export async function findTransferOf(pool: Pool, id: string): Promise<FoundTransfer | undefined> {
  const { rows } = await pool.query<(string | null)[]>({
    name: "read-transfer-of",
    text: `select ${foundColumns} from transfers
      where id = $1::uuid or resolution_journal_id = $1::uuid or return_journal_id = $1::uuid limit 1`,
    values: [id],
    rowMode: "array",
  });
  const row = rows[0] as TextRow | undefined;
  return row && readFound(row);
}

/** Those whose result is awaited, the oldest first. They are few beside all, and sorted once they are found by that. */
export async function listOpenTransfers(
  pool: Pool,
  { after, acceptedUntil, limit }: TransferPage,
): Promise<readonly FoundTransfer[]> {
  const { rows } = await pool.query<(string | null)[]>({
    name: "list-open-transfers",
    text: `with found as materialized (select id from transfers
        where is_open and ($1::uuid is null or id > $1::uuid) and ($2::timestamptz is null or accepted_at <= $2::timestamptz))
      select ${foundColumns} from transfers where id in (select id from found order by id limit $3::int) order by id`,
    values: [after, acceptedUntil === undefined ? undefined : new Date(acceptedUntil).toISOString(), limit],
    rowMode: "array",
  });
  return rows.map((row: TextRow) => readFound(row));
}

/** A row of `foundColumns`. */
function readFound(row: TextRow): FoundTransfer {
  const [payerAccountNo, externalId, facts, dueAt] = row.slice(-4);
  return {
    transfer: readTransfer(row),
    payerAccountNo: payerAccountNo ?? "",
    externalId: externalId ?? "",
    facts: facts ?? "{}",
    dueAt: Number(dueAt),
  };
}
