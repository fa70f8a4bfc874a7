/** Compares all that each cell has sent to the others with what those have of it, the accounts that were moved, and the keys of their requests. */
import { homeCell } from "../../basics/ids.ts";
import type { Finding } from "../../store/audit/finding.ts";
import { createAdminPool, type StatementPool } from "../../store/postgres/connect.ts";
import { compareKeys, type CompareKeysOptions } from "../audit/compare-keys.ts";
import { compareMoves } from "../audit/compare-moves.ts";
import { compareTransit } from "../audit/compare-transit.ts";
import type { CellAddress } from "../../basics/cell-address.ts";

/** `home`: connections to home. @throws where a cell does not answer. */
export async function compareCells(
  home: StatementPool,
  cells: readonly CellAddress[],
  options: CompareKeysOptions,
): Promise<readonly Finding[]> {
  await using stack = new AsyncDisposableStack();
  const all = new Map([[homeCell, home]]);
  for (const { number, url } of cells) {
    const pool = createAdminPool(url, 1);
    stack.defer(() => pool.end());
    all.set(number, pool);
  }
  const findings: Finding[] = [];
  for (const [from, source] of all) {
    for (const [to, target] of all) {
      if (from !== to) findings.push(...(await compareTransit(source, target, from, to)));
    }
  }
  if (cells.length === 0) return findings;
  return [...findings, ...(await compareMoves(home, all)), ...(await compareKeys(all, options))];
}
