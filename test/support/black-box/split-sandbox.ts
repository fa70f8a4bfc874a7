/**
 * Sandboxes over two databases, in runs with TITIAN_TEST_CELLS=1: accounts of each seeded partner lie in home and in cell 1, so
 * that calls of one partner are decided in both, and transfers go from one to the other.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { addCell } from "../../../packages/server/src/admin/cells/add-cell.ts";
import { withCellPool } from "../../../packages/server/src/admin/cells/cell-pool.ts";
import { createClock } from "../../../packages/server/src/basics/clock.ts";
import { readRange } from "../../../packages/server/src/basics/number-ranges.ts";

/** Read by the processes of the test files. */
export const splitVariable = "TITIAN_TEST_CELLS";
export const isSplit = process.env[splitVariable] === "1";

/** First digits of the accounts of each partner. */
const partners = ["1001", "1002", "1003"];
/** Last digits of each partner's first account, its dormant and its closed one. */
const tails = ["000001", "000006", "000008"];
const numbers = [...partners.flatMap((partner) => tails.map((tail) => partner + tail)), "1009000002"];
const ranges = numbers.map((number) => `${number}-${number}`);

interface Urls {
  readonly url: string;
  readonly administrationUrl: string;
}

/** Makes the database cell 1 of the other's installation. */
export async function addSplit(home: Urls, cell: Urls): Promise<void> {
  const address = { number: 1, url: cell.url, ranges: ranges.flatMap((text) => readRange(text) ?? []), place: "cells" };
  const added = await withCellPool({ url: home.administrationUrl }, (ofHome) =>
    withCellPool({ url: cell.administrationUrl }, (ofCell) =>
      addCell({ clock: createClock(), home: ofHome, cell: ofCell }, address),
    ),
  );
  if (!added.ok) throw new Error(added.rejection.message);
}

/** Settings of a sandbox whose cell 1 is that database; the files are in its data directory. */
export function splitSettings(dataDir: string, cell: Urls): Readonly<Record<string, string>> {
  const [file, administered] = [join(dataDir, "cells"), join(dataDir, "administered-cells")];
  writeFileSync(file, `1 ${cell.url} ${ranges.join(" ")}\n`);
  writeFileSync(administered, `1 ${cell.administrationUrl} ${ranges.join(" ")}\n`);
  return { TITIAN_CELLS: file, TITIAN_ADMIN_CELLS: administered };
}
