/**
 * Closed holds: nothing can change them any more, so they leave the table of holds for partitions (0028-closed-holds.sql). Nobody
 * locks them.
 */
import type { Pool } from "pg";
import type { Account } from "../../ledger/accounts/account.ts";
import { defaultRefundDays } from "../../ledger/holds/hold.ts";
import { queryRows } from "../postgres/query-rows.ts";
import type { Session, Statement } from "../postgres/session.ts";
import { plainArray } from "../postgres/sql-arrays.ts";
import { skipIfLocked } from "../partitions/skip-if-locked.ts";
import { uuidArray } from "../statements/binary-arrays.ts";
import { accountColumns, readAccount } from "./accounts.ts";
import { holdColumns, holdKeyIds, type HoldKeys, holdKeyValues, type HoldRow, readHold } from "./holds.ts";

/** SQL of whether a hold is too young to be among the closed ones; none that is newer is among them either. */
export const mayNotBeClosed = (id: string) => `${id} >= id_at(closed_until())`;

const columns = Object.keys(holdColumns.at).join(", ");

/** SQL of the first holds of both tables. */
export function firstOfBoth(condition: string, limit: string, order: "id" | "id desc"): string {
  const firstOf = (table: string) =>
    `(select ${columns} from ${table} where ${condition} order by ${order} limit ${limit})`;
  return `select * from (${firstOf("holds")} union all ${firstOf("closed_holds")}) in_both order by ${order} limit ${limit}`;
}

/** A closed hold with its accounts, none of them locked. */
export interface ClosedHold extends HoldRow {
  readonly payer: Account;
  readonly settlement: Account;
  /** True: its events are in a detached partition. */
  readonly areEventsDetached: boolean;
}

// Each is looked up in its own partition alone. Anybody may name what is nowhere: one plan, whatever ids are named, is opened
// for all of them once.
const findStatement: Statement = {
  name: "find-closed-holds",
  text: `select found.* from (select distinct id from unnest(${holdKeyIds}) named (id)) named cross join lateral (
    select ${holdColumns.sql}, exists (select from detached_partitions d
      where d.parent = 'hold_events' and d.from_id <= closed_holds.id and d.to_id > closed_holds.id)
    from closed_holds where id = named.id limit 1) found`,
};

const findAccountsStatement: Statement = {
  name: "find-accounts-of-closed-holds",
  text: `select ${accountColumns.sql} from accounts where id = any($1::uuid[])`,
};

/** The closed ones of the named holds. */
export async function findClosedHolds(session: Session, keys: HoldKeys): Promise<readonly ClosedHold[]> {
  const rows = await session.run(findStatement, holdKeyValues(keys));
  if (rows.length === 0) return [];
  const closed = rows.map((row) => ({ ...readHold(row), areEventsDetached: row.at(-1) === "t" }));
  const ids = new Set(closed.flatMap(({ hold }) => [hold.payer, hold.settlement]));
  const found = (await session.run(findAccountsStatement, [uuidArray([...ids])])).map(readAccount);
  const accounts = new Map(found.map((account) => [account.id, account]));
  return closed.map((one) => {
    const [payer, settlement] = [accounts.get(one.hold.payer), accounts.get(one.hold.settlement)];
    if (!payer || !settlement) throw new Error(`an account of closed hold ${one.hold.id} is not there`);
    return { ...one, payer, settlement };
  });
}

export interface HoldsPage {
  /** Where the next page begins; undefined: this was the last. */
  readonly next: string | undefined;
  /** Ids of those that look as if nothing could change them. */
  readonly closed: readonly string[];
}

/** Goes through the holds above an id, the oldest first. */
export async function findHoldsToMove(pool: Pool, after: string, limit: number): Promise<HoldsPage> {
  const rows = await queryRows(pool, {
    name: "find-holds-to-move",
    text: `select page.id, not is_open and (captured = refunded or not exists (
        select from hold_events e where e.hold_id = page.id and e.kind = 1 and e.refunded < e.amount
          and coalesce(e.refund_until, e.created_at + interval '${defaultRefundDays} days') > closed_until()))
      from (select id, is_open, captured, refunded from holds where id > $1::uuid and id < id_at(closed_until())
        order by id limit $2::int) page order by page.id`,
    values: [after, limit],
  });
  return {
    next: rows.length < limit ? undefined : (rows.at(-1)?.[0] ?? undefined),
    closed: rows.flatMap(([id, isClosed]) => (isClosed === "t" && id != null ? [id] : [])),
  };
}

/** Moves those of the holds that are closed; answers how many. The database judges each of them again, under its lock. */
export async function moveClosedHolds(pool: Pool, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  const rows = await skipIfLocked(() =>
    queryRows(pool, {
      name: "move-closed-holds",
      text: "select move_closed_holds($1::uuid[])",
      values: [plainArray(ids)],
    }),
  );
  return Number(rows?.[0]?.[0] ?? 0);
}
