/** Cells as home's database lists them, and the record in each database of the cell that it is (0057-cells.sql). */
import type { Pool } from "pg";
import { queryRows } from "../postgres/query-rows.ts";
import { epochMs } from "../statements/select-list.ts";
import { claimState, readState } from "./service-state.ts";

export interface CellRow {
  readonly number: number;
  /** As the file of cells writes them. */
  readonly ranges: string;
  /** Epoch ms. */
  readonly addedAt: number;
}

export async function readCellRows(pool: Pool): Promise<readonly CellRow[]> {
  const rows = await queryRows(pool, {
    name: "read-cells",
    text: `select number, ranges, ${epochMs("added_at")} from cells order by number`,
  });
  return rows.map(([number, ranges, addedAt]) => ({
    number: Number(number),
    ranges: ranges as string,
    addedAt: Number(addedAt),
  }));
}

/** The installation and cell that a database belongs to, for good. */
export interface CellRecord {
  /** Id of the installation: the same in all its cells. */
  readonly installation: string;
  readonly number: number;
}

const recordName = "cell";

/** Undefined: no cell was ever added, so that it is home, or a new database. */
export async function readCellRecord(pool: Pool): Promise<CellRecord | undefined> {
  return (await readState(pool, recordName)) as CellRecord | undefined;
}

/** Writes the record unless there is one; the one that stands. */
export async function claimCellRecord(pool: Pool, record: CellRecord): Promise<CellRecord> {
  return (await claimState(pool, recordName, record)) as CellRecord;
}

/** Adds a cell to home's list; false: it is there. Nodes hear of it by the version. */
export async function addCellRow(pool: Pool, { number, ranges, addedAt }: CellRow): Promise<boolean> {
  const rows = await queryRows(pool, {
    name: "add-cell",
    text: `with added as (
        insert into cells (number, ranges, added_at) values ($1, $2, to_timestamp($3::float8 / 1000)) on conflict (number) do nothing returning number
      ), bumped as (
        update reference_version set version = version + 1 where id = 1 and exists (select from added)
      )
      select number from added`,
    values: [number, ranges, addedAt],
  });
  return rows.length > 0;
}

/** An account whose number is in the range; undefined: there is none. */
export async function findAccountInRange(
  pool: Pool,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<string | undefined> {
  const [row] = await queryRows(pool, {
    name: "find-account-in-range",
    text: `select account_no from accounts where length(account_no) = length($1) and account_no collate "C" between $1 and $2 limit 1`,
    values: [from, to],
  });
  return row?.[0] ?? undefined;
}

/** True: the database has a partner, or an account that is not the service's own. */
export async function hasHolders(pool: Pool): Promise<boolean> {
  const [row] = await queryRows(pool, {
    name: "has-holders",
    text: `select exists (select from partners) or exists (select from accounts where purpose = 'customer')`,
  });
  return row?.[0] === "t";
}

/** True: somebody is an operator, so that acts are approved by two people. */
export async function hasOperators(pool: Pool): Promise<boolean> {
  const [row] = await queryRows(pool, { name: "has-operators", text: "select exists (select from operators)" });
  return row?.[0] === "t";
}

/** True while a node of a release that knows of no cells is connected: it takes every account number for one of this database. */
export async function hasOlderNode(pool: Pool): Promise<boolean> {
  const [row] = await queryRows(pool, {
    name: "has-older-node",
    text: `select exists (select from pg_stat_activity where datname = current_database() and application_name = 'titian probe')`,
  });
  return row?.[0] === "t";
}
