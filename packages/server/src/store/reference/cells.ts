/** Cells as home's database lists them, and the record in each database of the cell that it is (0057-cells.sql). */
import type { Pool } from "pg";
import { idAt } from "../../basics/ids.ts";
import { type NumberRange, readRanges, writeRanges } from "../../basics/number-ranges.ts";
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
    ranges: writeRanges(JSON.parse(ranges as string) as readonly NumberRange[]),
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

/** Time of which no account that is being opened is older, by its id: an opening takes seconds. */
const openingMs = 3_600_000;

/**
 * Lists a cell in home's database; nodes hear of it by the version. False: it is listed so already.
 * @throws restrict_violation (23001) where its account numbers are another cell's, or accounts of home have them.
 */
export async function addCellRow(pool: Pool, { number, ranges, addedAt }: CellRow): Promise<boolean> {
  const [row] = await queryRows(pool, {
    name: "add-cell",
    text: "select add_cell($1::int, $2::json, $3::uuid)",
    values: [number, JSON.stringify(readRanges(ranges)), idAt(addedAt - openingMs)],
  });
  return row?.[0] === "t";
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
