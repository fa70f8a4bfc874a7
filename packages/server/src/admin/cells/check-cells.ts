/** Faults between the file of cells, home's list of them, and the records in their databases: one sentence each, for operators. */
import { homeCell } from "../../basics/ids.ts";
import { writeRanges } from "../../basics/number-ranges.ts";
import type { CellAddress } from "../../basics/cell-address.ts";
import type { StatementPool } from "../../store/postgres/connect.ts";
import { type CellRow, hasOperators, readCellRecord, readCellRows } from "../../store/reference/cells.ts";

/** `home`: connections to the database that DATABASE_URL names. None: the list is as the file. */
export async function findHomeFaults(pool: StatementPool, cells: readonly CellAddress[]): Promise<readonly string[]> {
  const record = await readCellRecord(pool);
  if (record !== undefined && record.number !== homeCell) {
    return [
      `DATABASE_URL is the database of cell ${record.number}: name home's database there, and this one in TITIAN_CELLS`,
    ];
  }
  const rows = await readCellRows(pool);
  const missing = rows.filter(({ number }) => cells.every((cell) => cell.number !== number));
  return [
    ...missing.map(
      ({ number, ranges }) =>
        `TITIAN_CELLS has no line for cell ${number}, which home lists with ${ranges}: add it, as titian cells list says`,
    ),
    ...cells.flatMap((cell) => findLineFault(cell, rows) ?? []),
  ];
}

function findLineFault({ number, ranges, place }: CellAddress, rows: readonly CellRow[]): string | undefined {
  const row = rows.find((one) => one.number === number);
  if (!row) return `${place}: home does not list cell ${number} yet: titian cells add ${number}`;
  if (row.ranges === writeRanges(ranges)) return undefined;
  return `${place}: home lists cell ${number} with ${row.ranges}: ranges of a cell stay as they are`;
}

/** Undefined: the database at the cell's address is that cell of home's installation. */
export async function findCellFault(
  homePool: StatementPool,
  cellPool: StatementPool,
  { number, place }: CellAddress,
): Promise<string | undefined> {
  const [ours, record] = await Promise.all([readCellRecord(homePool), readCellRecord(cellPool)]);
  if (record === undefined) {
    const isListed = (await readCellRows(homePool)).some((row) => row.number === number);
    return isListed
      ? `${place}: its database is not that of cell ${number}, which home lists: correct the address, or restore the cell`
      : `${place}: its database was not added as a cell yet: titian cells add ${number}`;
  }
  if (record.installation !== ours?.installation) return `${place}: its database is a cell of another installation`;
  if (record.number === number) return undefined;
  const found = record.number === homeCell ? "home" : `cell ${record.number}`;
  return `${place}: its database is ${found}, and not cell ${number}`;
}

/** Undefined: acts on the cell are approved by two people where those on home are. */
export async function findOperatorsFault(
  homePool: StatementPool,
  cellPool: StatementPool,
  { number, place }: CellAddress,
): Promise<string | undefined> {
  if (!(await hasOperators(homePool)) || (await hasOperators(cellPool))) return undefined;
  return `${place}: home has operators, and cell ${number} has none: DATABASE_URL=<its owner's> titian operators bootstrap`;
}
