/** An installation of home and a further cell, on databases of the test's own. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addCell } from "../../packages/server/src/admin/cells/add-cell.ts";
import { withCellPool } from "../../packages/server/src/admin/cells/cell-pool.ts";
import { openAccount } from "../../packages/server/src/admin/accounts/open-account.ts";
import { createClock } from "../../packages/server/src/basics/clock.ts";
import { newId } from "../../packages/server/src/basics/ids.ts";
import type { CellAddress } from "../../packages/server/src/basics/cell-address.ts";
import { readCells } from "../../packages/server/src/config/files/cells.ts";
import { minor } from "../../packages/server/src/ledger/money.ts";
import { startNode } from "../support/administration.ts";
import { administrationUrlOf } from "../support/database/template.ts";
import { valueOf } from "../support/expect.ts";

export const ranges = "510000000000-519999999999";

/** A file of cells with these lines, in a directory of its own; disposing removes it. */
export function writeCells(...lines: readonly string[]) {
  const directory = mkdtempSync(join(tmpdir(), "titian-cells-"));
  const file = join(directory, "cells");
  writeFileSync(file, lines.join("\n"));
  return { file, [Symbol.dispose]: () => rmSync(directory, { recursive: true }) };
}

/** The lines as a service reads them. @throws when one is wrong */
export function cellsOf(...lines: readonly string[]): readonly CellAddress[] {
  const faults: string[] = [];
  const cells = readCells({ TITIAN_CELLS: "cells" }, { isCommand: false, readText: () => lines.join("\n") }, faults);
  if (faults.length > 0) throw new Error(faults.join("\n"));
  return cells;
}

/** As administration, of databases that the given addresses of services lead to. */
export async function add(
  homeUrl: string,
  cellUrl: string,
  line = `1 ${cellUrl} ${ranges}`,
): ReturnType<typeof addCell> {
  const [address] = cellsOf(line);
  if (!address) throw new Error("the line says no cell");
  return withCellPool({ url: administrationUrlOf(homeUrl) }, (home) =>
    withCellPool({ url: administrationUrlOf(cellUrl) }, (cell) =>
      addCell({ clock: createClock(), home, cell }, address),
    ),
  );
}

/** Opens an account of a holder with money on it in a database that serves the cell. */
export async function openIn(
  cellUrl: string,
  {
    accountNo,
    cell,
    partners,
    balance = 1_000_000_000n,
  }: { accountNo: string; cell: number; partners: readonly string[]; balance?: bigint },
): Promise<void> {
  await using node = await startNode(cellUrl);
  const account = { id: newId(cell), accountNo, name: "Siti Rahayu", currency: "IDR", type: "S" } as const;
  valueOf(await openAccount(node, { ...account, balance: minor(balance), partners }));
}
