/**
 * Slices of ids that hold about as many rows as wanted of every table a pass reads. A slice is found by counting: twice
 * as wide as the one before, then halved until it holds no more. So it needs neither statistics nor evenly spread ids.
 */
import { highestId } from "../../basics/ids.ts";
import type { Statement } from "../postgres/session.ts";
import { type AuditPass, inSlice } from "./checks/check.ts";

export interface Slice {
  readonly pass: AuditPass;
  /** Ids above this one … */
  readonly from: string;
  /** … up to this one. */
  readonly to: string;
}

export interface SizedSlice extends Slice {
  /** Accounts, holds or entries in it. */
  readonly rows: number;
}

const entireSpan = 1n << 128n;

/** Planned as if all were wanted, because no plan may bet on finding the first ones early; read until there are too many. */
const countOf = (ids: string) =>
  `(with found as materialized (${ids}) select count(*) from (select from found limit $3::int) counted)`;

const column = (table: string, id: string) => `select from ${table} where ${inSlice(id)}`;

/** Rows that are counted; of each pass, what it goes through comes first. */
const sources = {
  accounts: [
    column("accounts", "id"),
    `select from (select id from accounts where ${inSlice("id")} order by id limit $3::int) a
      cross join lateral (select from holds where payer_account_id = a.id and is_open limit $3::int) open`,
  ],
  holds: [`${column("holds", "id")} union all ${column("closed_holds", "id")}`, column("hold_events", "hold_id")],
  journals: [
    column("entries", "journal_id"),
    column("accepted_requests", "id"),
    column("acts", "journal_id"),
    column("rejected_requests", "id"),
    column("transfers", "id"),
    column("transfers", "resolution_journal_id"),
    column("transfers", "return_journal_id"),
    column("payment_requests", "id"),
    column("payment_requests", "approval_journal_id"),
    column("bulks", "id"),
    `select from (select id from bulks where ${inSlice("id")} order by id limit $3::int) b
      cross join lateral (select from transfers where bulk_id = b.id limit $3::int) item`,
    column("outbox", "id"),
    column("holds", "id"),
    column("closed_holds", "id"),
    column("hold_events", "command_id"),
  ],
} as const satisfies Record<AuditPass, readonly string[]>;

const countStatement = (pass: AuditPass) => ({
  name: `count ${pass}`,
  text: `select ${sources[pass].map(countOf).join(", ")}`,
});

/** Each answers one row: what its sources hold in the slice $1 to $2, each at most $3. */
export const countStatements = {
  accounts: countStatement("accounts"),
  holds: countStatement("holds"),
  journals: countStatement("journals"),
} as const satisfies Record<AuditPass, Statement>;

/** Counts the rows of each source of the pass, in a slice from one id to another, `limit` at most. */
type Count = (slice: Slice, limit: number) => Promise<readonly number[]>;

export interface SliceFinder {
  /**
   * The next slice above `from`, up to `end` at most, that is not empty, or the last one; of `size` rows at most unless it is
   * a single id.
   */
  next(from: string, end: string, size: number): Promise<SizedSlice>;
}

export function createSliceFinder(pass: AuditPass, count: Count): SliceFinder {
  let span = entireSpan;
  return {
    next: async (from, end, size) => {
      for (let start = toNumber(from); ; ) {
        const to = toId(start + span);
        const slice = { pass, from: toId(start), to: to < end ? to : end };
        const counts = await count(slice, size + 1);
        const largest = Math.max(...counts);
        if (largest > size && span > 1n) {
          span >>= 1n;
          continue;
        }
        if (largest <= size / 2) span = widen(span);
        // Nothing there: on, over a gap of any width.
        if (largest > 0 || slice.to === end) return { ...slice, rows: counts[0] ?? 0 };
        start = toNumber(slice.to);
      }
    },
  };
}

function widen(span: bigint): bigint {
  return span < entireSpan ? span << 1n : span;
}

function toNumber(id: string): bigint {
  return BigInt(`0x${id.replaceAll("-", "")}`);
}

function toId(number: bigint): string {
  if (number >= entireSpan) return highestId;
  const hex = number.toString(16).padStart(32, "0");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
