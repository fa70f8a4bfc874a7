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
import { unlessLocked } from "../postgres/unless-locked.ts";
import { accountColumns, readAccount } from "./accounts.ts";
import { holdColumns, holdKeyIds, type HoldKeys, holdKeyValues, type HoldRow, readHold } from "./holds.ts";

/** SQL of whether a hold is too young to be among the closed ones; none that is newer is among them either. */
export const mayNotBeClosed = (id: string) => `${id} >= id_at(closed_until())`;

const columns = Object.keys(holdColumns.at).join(", ");

/** SQL of the newest holds of both tables. */
export function newestOfBoth(condition: string, limit: string): string {
  const newestOf = (table: string) =>
    `(select ${columns} from ${table} where ${condition} order by id desc limit ${limit})`;
  return `select * from (${newestOf("holds")} union all ${newestOf("closed_holds")}) in_both order by id desc limit ${limit}`;
}

/** A closed hold with its accounts, none of them locked. */
export interface ClosedHold extends HoldRow {
  readonly payer: Account;
  readonly settlement: Account;
  /** Whether its events are in a detached partition. */
  readonly areEventsDetached: boolean;
}

/** Of the named holds, each looked up in its own partition alone. */
const fromClosed = (list: string) => `(select distinct id from unnest(${holdKeyIds}) named (id)) named
  cross join lateral (select ${list} from closed_holds where id = named.id limit 1) found`;

const findStatement: Statement = {
  name: "find-closed-holds",
  text: `select found.* from ${fromClosed(`${holdColumns.sql}, exists (select from detached_partitions d
    where d.parent = 'hold_events' and d.from_id <= closed_holds.id and d.to_id > closed_holds.id)`)}`,
};

const findAccountsStatement: Statement = {
  name: "find-accounts-of-closed-holds",
  text: `select ${accountColumns.sql} from accounts where id = any(array(
    select unnest(array[payer_account_id, settlement_account_id]) from ${fromClosed("payer_account_id, settlement_account_id")}))`,
};

/** The closed ones of the named holds. */
export async function findClosedHolds(session: Session, keys: HoldKeys): Promise<readonly ClosedHold[]> {
  const values = holdKeyValues(keys);
  const [rows, ofAccounts] = await session.roundTrip(() =>
    Promise.all([session.run(findStatement, values), session.run(findAccountsStatement, values)]),
  );
  const accounts = new Map(ofAccounts.map(readAccount).map((account) => [account.id, account]));
  return rows.map((row) => {
    const found = readHold(row);
    const [payer, settlement] = [accounts.get(found.hold.payer), accounts.get(found.hold.settlement)];
    if (!payer || !settlement) throw new Error(`an account of closed hold ${found.hold.id} is not there`);
    return { ...found, payer, settlement, areEventsDetached: row.at(-1) === "t" };
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
  const rows = await unlessLocked(() =>
    queryRows(pool, {
      name: "move-closed-holds",
      text: "select move_closed_holds($1::uuid[])",
      values: [plainArray(ids)],
    }),
  );
  return Number(rows?.[0]?.[0] ?? 0);
}
