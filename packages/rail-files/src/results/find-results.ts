/** Search of a rail's result files for some instructions, acknowledged or not. Nothing is recorded. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { RailResult } from "@titian/server/rails";
import { readLines } from "../files/json-lines.ts";
import { openRegular } from "../files/open-regular.ts";
import { volumeOf } from "../files/volume.ts";
import { namePattern } from "./result-files.ts";
import { readResult } from "./result-line.ts";

export interface FoundResults {
  /** In the order in which they were reported; none of another ledger. */
  readonly byNumber: ReadonlyMap<string, readonly RailResult[]>;
  /** Names of files that cannot be read, with why: what they say is not known. */
  readonly unread: readonly string[];
}

/** @throws when the folder cannot be read. One that is not there has no results. */
export async function findResults(
  folder: string,
  { ledgerId, numbers }: { readonly ledgerId: string; readonly numbers: ReadonlySet<string> },
): Promise<FoundResults> {
  const byNumber = new Map<string, RailResult[]>();
  const unread: string[] = [];
  const volume = await volumeOf(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (!volume) return { byNumber, unread };
  const names = await volume.run(() => readdir(folder));
  for (const name of names.filter((one) => namePattern.test(one)).toSorted()) {
    const opened = await openRegular(volume, join(folder, name));
    if (typeof opened === "string") unread.push(`${name}: ${opened}`);
    if (opened === undefined || typeof opened === "string") continue;
    await using file = opened;
    for await (const line of readLines(file, 0)) {
      const read = readResult(line);
      if (!read.ok || (read.ledgerId ?? ledgerId) !== ledgerId || !numbers.has(read.result.referenceNo)) continue;
      const { referenceNo } = read.result;
      byNumber.set(referenceNo, [...(byNumber.get(referenceNo) ?? []), read.result]);
    }
  }
  return { byNumber, unread };
}
