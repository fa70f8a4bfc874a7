/** The runs in which a database is away under load: their options, and two clusters of their own. */
import { parseArgs } from "node:util";
import { useOwnCluster } from "../../test/support/database/database.ts";
import type { OutageOptions } from "../../test/torture/cells/outage.ts";
import type { TortureResult } from "../../test/torture/result.ts";
import { newSeed, readCount, report } from "./command-line.ts";

/** `away`: the database that is. */
export async function runOutage(
  subject: string,
  away: string,
  rounds: (options: OutageOptions) => Promise<TortureResult>,
  inOrder: string,
): Promise<void> {
  const { values } = parseArgs({
    options: {
      seconds: { type: "string", default: "60" },
      callers: { type: "string", default: "16" },
      seed: { type: "string", default: newSeed() },
    },
  });
  const seconds = readCount("seconds", values.seconds);
  const callers = readCount("callers", values.callers);
  const seed = readCount("seed", values.seed);
  console.log(`Torture with seed ${seed}: ${callers} callers, ${away} away for ${seconds} s`);
  await using home = await useOwnCluster();
  await using cell = await useOwnCluster();
  const onProgress = (text: string) => console.log(`  ${text}`);
  report(subject, await rounds({ home, cell, callers, seconds, seed, onProgress }), inOrder);
}
