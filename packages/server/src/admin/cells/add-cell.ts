/** Adds a cell to an installation: its database gets its number, and home lists it. */
import { newId } from "../../basics/ids.ts";
import { writeRanges } from "../../basics/number-ranges.ts";
import type { Clock } from "../../basics/clock.ts";
import type { CellAddress } from "../../basics/cell-address.ts";
import { restrictViolation } from "../../store/postgres/database-away.ts";
import type { StatementPool } from "../../store/postgres/connect.ts";
import {
  addCellRow,
  type CellRow,
  claimCellRecord,
  hasHolders,
  hasOlderNode,
  hasOperators,
  readCellRecord,
  readCellRows,
} from "../../store/reference/cells.ts";
import { readEnvironment } from "../../store/reference/environment.ts";
import { withRights } from "../administration-rights.ts";
import { AdminError, type AdminResult, done, rejected } from "../result.ts";
import { findCellFault } from "./check-cells.ts";

export interface AddCellDeps {
  readonly clock: Clock;
  /** Administration's connections to home. */
  readonly home: StatementPool;
  /** Administration's connections to the database at the cell's address. */
  readonly cell: StatementPool;
}

/**
 * Repeated after a crash it goes on where it stopped: the cell's database is marked first, and only then listed. For a cell that home
 * lists it marks no database: the address must lead to the one that was marked then. Nodes route calls to the cell once they are
 * started with a file that has it; until then its numbers are answered 503xx00.
 */
export function addCell(deps: AddCellDeps, address: CellAddress): Promise<AdminResult<CellRow>> {
  return withRights(deps.home, async () => {
    const { clock, home, cell } = deps;
    const { number, ranges, place } = address;
    const row = { number, ranges: writeRanges(ranges), addedAt: clock.real() };
    const listed = (await readCellRows(home)).find((one) => one.number === number);
    if (listed && listed.ranges !== row.ranges)
      return refuse(`${place}: home lists cell ${number} with ${listed.ranges}`);
    const fault = listed ? await findCellFault(home, cell, address) : await findFault(deps, address);
    if (fault !== undefined) return refuse(fault);
    if (listed) return done(listed);
    const { installation, number: own } = await claimCellRecord(home, { installation: newId(), number: 0 });
    if (own !== 0) return refuse(`DATABASE_URL is the database of cell ${own}, and cells are added to home`);
    const record = await claimCellRecord(cell, { installation, number });
    if (record.installation !== installation || record.number !== number)
      return refuse(
        `${place}: its database is cell ${record.number} of ${record.installation === installation ? "this" : "another"} installation`,
      );
    return list(home, row);
  });
}

/** @throws AdminError where another change of home keeps it waiting. */
async function list(home: StatementPool, row: CellRow): Promise<AdminResult<CellRow>> {
  try {
    await addCellRow(home, row);
    return done(row);
  } catch (error) {
    const { code, message } = error as { readonly code?: string; readonly message: string };
    if (code === restrictViolation) return refuse(`Cell ${row.number} was not added: ${message}.`);
    if (code !== lockNotAvailable) throw error;
    const why = "another change of home's accounts or partners took longer than 2 s. Run the command again.";
    throw new AdminError(`Cell ${row.number} was not added: ${why}`, { cause: error });
  }
}

async function findFault({ home, cell }: AddCellDeps, { number, place }: CellAddress): Promise<string | undefined> {
  if (await hasOlderNode(home)) {
    return "A node of an older release is connected to home, and would answer for the cell's accounts: stop it, wait a minute, and repeat";
  }
  const [ofHome, ofCell] = await Promise.all([readEnvironment(home), readEnvironment(cell)]);
  if (ofCell !== undefined && ofHome !== ofCell)
    return `${place}: its database is ${ofCell}'s, and home is ${ofHome ?? "nobody"}'s`;
  if ((await hasOperators(home)) && !(await hasOperators(cell))) {
    return `${place}: home has operators, and its database has none, where nobody would approve an act: DATABASE_URL=<its owner's> titian operators bootstrap`;
  }
  // One that was marked before this command was stopped has none either.
  const record = await readCellRecord(cell);
  if (record === undefined && (await hasHolders(cell))) {
    return `${place}: its database has partners, or accounts of holders: cell ${number} begins with an empty database that titian migrate has made`;
  }
  return undefined;
}

const lockNotAvailable = "55P03";
const refuse = (message: string) => rejected("invalidField", message, "number");
