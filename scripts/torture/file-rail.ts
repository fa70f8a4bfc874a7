/**
 * `npm run torture -- file-rail`: how long an interbank transfer (18) over a rail of files takes on the node that has the rail's
 * lease, and on another one, called in turn, one call at a time. The other side settles each line within 5 ms. What may be added is
 * 50 ms, of medians. `npm run torture -- file-rail --calls=100`.
 */
import { parseArgs } from "node:util";
import type { Caller } from "../../test/support/black-box/caller.ts";
import { startFileNodes } from "../../test/support/black-box/rails/file-nodes.ts";
import { interbank } from "../../test/support/black-box/rails/rail-services.ts";
import { railBody } from "../../test/support/black-box/rails/rail-transfers.ts";
import { readCount, report } from "./command-line.ts";

const { values } = parseArgs({ options: { calls: { type: "string", default: "50" } } });
const calls = readCount("calls", values.calls);
const addedMsMax = 50;

await using nodes = await startFileNodes(5);
const { production, second, callerOf, holder } = nodes;
const [from = ""] = production.caller.partner.sourceAccounts;
const faults: string[] = [];

/** Milliseconds from the call to its response. */
async function time(caller: Caller): Promise<number> {
  const startedAt = performance.now();
  const { code } = await caller.call(interbank.path, railBody(interbank, from));
  if (code !== "2001800") faults.push(`18 was answered ${code}`);
  return performance.now() - startedAt;
}

const sides = [
  { name: "with the lease", caller: production.caller, times: [] as number[] },
  { name: "without it", caller: callerOf(second.baseUrl), times: [] as number[] },
];
const warmUpCalls = 10;
for (let round = 0; round < warmUpCalls; round += 1) for (const { caller } of sides) await time(caller);
const before = await holder();
for (let round = 0; round < calls; round += 1) for (const { caller, times } of sides) times.push(await time(caller));
if ((await holder()) !== before) faults.push("the lease went to another node meanwhile");

const at = (times: readonly number[], share: number) =>
  times.toSorted((a, b) => a - b)[Math.floor(share * (times.length - 1))] ?? 0;
const [withLease = 0, without = 0] = sides.map(({ times }) => at(times, 0.5));
if (without - withLease > addedMsMax) faults.push(`the other node adds ${(without - withLease).toFixed(0)} ms`);
const told = sides.map(
  ({ name, times }) => `${name} p50 ${at(times, 0.5).toFixed(0)} ms, p99 ${at(times, 0.99).toFixed(0)} ms`,
);
report(
  "file-rail",
  { faults, summary: `${calls} calls each: ${told.join("; ")}; added ${(without - withLease).toFixed(0)} ms` },
  `at most ${addedMsMax} ms are added`,
);
