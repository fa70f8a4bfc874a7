/** Actions of `titian cells`. */
import {
  addCell,
  compareCells,
  type CellAddress,
  type Core,
  type AuditReport,
  findCellFault,
  findHomeFaults,
  findOperatorsFault,
  listCells,
  withCellPool,
} from "@titian/server/admin";
import { CliError, exitCodes, usageError } from "../cli-error.ts";
import { formatJson, note, print } from "../output.ts";
import { formatTable } from "../tables/table.ts";
import { valueOf, withCore } from "../with-core.ts";

interface Flags {
  readonly json?: true;
}

const allOthers = "all other numbers";

export function list({ json }: Flags): Promise<void> {
  return withCore(async (core) => {
    const cells = await listCells(core.adminPool);
    if (json) return print(formatJson(cells));
    const rows = cells.map(({ number, ranges, addedAt }) => ({
      cell: String(number),
      ranges,
      added: new Date(addedAt).toISOString(),
    }));
    print(
      formatTable({ cell: "cell", ranges: "account numbers", added: "added" }, [
        { cell: "0 (home)", ranges: allOthers, added: "" },
        ...rows,
      ]),
    );
  });
}

/** Exit code 1 where something is wrong. */
export function check({ json }: Flags): Promise<void> {
  return withCore(async (core) => {
    const { cells, keepExternalIdsMs } = core.config;
    const faults = await findHomeFaults(core.adminPool, cells);
    const found = await Promise.all(cells.map((cell) => findFault(core, cell)));
    const all = [...faults, ...found.flatMap((fault) => fault ?? [])];
    // Databases that are not what the file says cannot be compared.
    const options = { keepExternalIdsMs, onProgress: core.onProgress };
    if (all.length === 0) all.push(...(await compareCells(core.adminPool, cells, options)).map(describeFinding));
    if (json) print(formatJson({ cells: cells.map(({ number }) => number), faults: all }));
    else print(all.length === 0 ? describeSound(cells) : all.join("\n"));
    if (all.length > 0) throw new CliError(`${all.length} of the above to be corrected.`, exitCodes.failed);
  });
}

function describeSound(cells: readonly CellAddress[]): string {
  return cells.length === 0
    ? "There is home alone, and no file of cells."
    : `Home and ${cells.length} further: each address leads to its cell, all agree on what they sent to each other, and no key of a request is in two.`;
}

function describeFinding({ subject, check: name, expected, found }: AuditReport["findings"][number]): string {
  return `${subject}: ${name}: expected ${expected}, found ${found}`;
}

/** A cell that does not answer is a finding, too. */
async function findFault({ adminPool }: Core, cell: CellAddress): Promise<string | undefined> {
  try {
    return await withCellPool(
      cell,
      async (pool) => (await findCellFault(adminPool, pool, cell)) ?? (await findOperatorsFault(adminPool, pool, cell)),
    );
  } catch (error) {
    return `${cell.place}: the database of cell ${cell.number} does not answer: ${error instanceof Error ? error.message : String(error)}`;
  }
}

export function add(given: string): Promise<void> {
  return withCore(async (core) => {
    const { clock, adminPool: home, config } = core;
    const address = config.cells.find(({ number }) => String(number) === given);
    if (!address) throw usageError(`The file of TITIAN_ADMIN_CELLS or TITIAN_CELLS has no line for cell ${given}.`);
    const { number, ranges } = valueOf(await withCellPool(address, (cell) => addCell({ clock, home, cell }, address)));
    print(`Cell ${number} has the account numbers ${ranges}.`);
    note("Start the nodes again with TITIAN_CELLS: until then its accounts are answered 503xx00.");
  });
}
