/**
 * Entries of transit accounts that another cell has not mirrored yet: the stream stops for good where they are detached before
 * (docs/adr/0094-mirrored-transit.md).
 */
import { currencyCodes } from "@titian/contract";
import type { CellDatabase } from "../../basics/cell-address.ts";
import { homeCell } from "../../basics/ids.ts";
import { internalAccountNo } from "../../ledger/accounts/internal-accounts.ts";
import type { StatementPool } from "../../store/postgres/connect.ts";
import { readTransitPositions } from "../../store/reads/transit.ts";
import { type CellRecord, readCellRecord } from "../../store/reference/cells.ts";
import { compareTransit, findUnmirrored } from "../audit/compare-transit.ts";
import { withCellPool } from "./cell-pool.ts";

/**
 * Reasons why partitions that end at an id, or before, are not to be detached from the database `own`, as sentences: each cell that it has sent
 * money to has to answer, and to have mirrored all of that time. A database that is no cell's sent nothing, and no other one is asked.
 */
export async function findUnmirroredObstacles(
  own: StatementPool,
  cells: readonly CellDatabase[],
  to: string,
): Promise<readonly string[]> {
  const record = await readCellRecord(own);
  if (!record) return [];
  const obstacles: string[] = [];
  for (const number of await findReceivers(own)) {
    const cell = cells.find((one) => one.number === number);
    const found = cell ? await askCell(own, record, cell, to) : describeUnknown(number);
    if (found !== undefined) obstacles.push(found);
  }
  return obstacles;
}

const numberMax = 255;

/** Cells that this database has sent money to, by the accounts of its own. */
async function findReceivers(own: StatementPool): Promise<readonly number[]> {
  const numbers = Array.from({ length: numberMax + 1 }, (_, number) => number);
  const noOf = (currency: string, number: number) => internalAccountNo("transit", currency, "out", number);
  const found = await readTransitPositions(
    own,
    numbers.flatMap((number) => currencyCodes.map((currency) => noOf(currency, number))),
  );
  return numbers.filter((number) => currencyCodes.some((currency) => found.has(noOf(currency, number))));
}

async function askCell(
  own: StatementPool,
  { installation, number: from }: CellRecord,
  cell: CellDatabase,
  to: string,
): Promise<string | undefined> {
  const name = nameOf(cell.number);
  try {
    return await withCellPool(cell, async (pool) => {
      const record = await readCellRecord(pool);
      if (record?.installation !== installation || record.number !== cell.number)
        return `the address of ${name} leads to another database: ${placeOf(cell.number)}`;
      const [difference] = await compareTransit(own, pool, from, cell.number);
      if (difference)
        return `${name} does not agree with what was sent to it (${difference.check}): titian cells check`;
      const unmirrored = await findUnmirrored(own, pool, from, cell.number);
      if (!unmirrored || unmirrored.from >= to) return undefined;
      return `${name} lacks ${unmirrored.entries} entries that were sent to it, the first of them in what would be detached: let the nodes send them, and repeat it`;
    });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return `${name} cannot be asked what it has of this database (${why}): repeat it once it answers`;
  }
}

const nameOf = (number: number) => (number === homeCell ? "home" : `cell ${number}`);

/** The setting that has its address. */
const placeOf = (number: number) =>
  number === homeCell
    ? "set TITIAN_ADMIN_DATABASE_URL to home's, and DATABASE_URL to this one's"
    : "correct its line in the file of TITIAN_ADMIN_CELLS or TITIAN_CELLS";

const describeUnknown = (number: number) =>
  `${nameOf(number)} has to be asked what it has of this database, and its address is not known: ${placeOf(number)}`;
