/** What a rail's result files say of some instructions, whether it was acknowledged or not. Nothing is recorded. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { RailResult } from "@titian/server/rails";
import { readLines } from "../files/json-lines.ts";
import { openRegular } from "../files/open-regular.ts";
import { namePattern } from "./result-files.ts";
import { readResult } from "./result-line.ts";

/** By number, in the order in which they were reported; none of another ledger. */
export async function findResults(
  folder: string,
  { ledgerId, numbers }: { readonly ledgerId: string; readonly numbers: ReadonlySet<string> },
): Promise<ReadonlyMap<string, readonly RailResult[]>> {
  const found = new Map<string, RailResult[]>();
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((one) => namePattern.test(one)).toSorted()) {
    const opened = await openRegular(join(folder, name));
    if (opened === undefined || typeof opened === "string") continue;
    await using file = opened;
    for await (const line of readLines(file, 0)) {
      const read = readResult(line);
      if (!read.ok || (read.ledgerId ?? ledgerId) !== ledgerId || !numbers.has(read.result.referenceNo)) continue;
      const { referenceNo } = read.result;
      found.set(referenceNo, [...(found.get(referenceNo) ?? []), read.result]);
    }
  }
  return found;
}
