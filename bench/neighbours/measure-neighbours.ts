/**
 * Latency of a partner's transfers beside one that calls at ten times its rate, and beside strangers who fail in its name. What
 * disturbs comes from a process of its own, and is sent to a server that does nothing for the other half of each round: on two
 * cores its callers take much of the machine.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { startSandbox } from "../../test/support/black-box/start-sandbox.ts";
import { forkScript } from "../fork-script.ts";
import type { MeasurePart } from "../parts.ts";
import { type Column, divide, figuresTable } from "../report/figures-table.ts";
import type { Seen } from "../subject.ts";
import { createPacedCaller, type Pace } from "./paced-calls.ts";

/** Limit of the disturbing partner, calls a second. */
const limitPerSecond = 50;
const neighbourPerSecond = 50;
/** Strangers a second, in the partner's name. */
const strangersPerSecond = 200;
/** Until the node works by a changed setting, and until its limits are as before. */
const pauseMs = 2_500;

interface Round {
  readonly alone: Seen;
  readonly disturbed: Seen;
}

const disturbances = {
  "a partner at ten times its rate, strangers in its name": [
    { partner: "alpha", perSecond: limitPerSecond * 10 },
    { partner: "alpha", perSecond: strangersPerSecond, isForged: true },
  ],
  "strangers in a partner's name": [{ partner: "alpha", perSecond: strangersPerSecond, isForged: true }],
} as const satisfies Record<string, readonly Omit<Pace, "seconds">[]>;

export const measureNeighbours: MeasurePart = async ({ seconds, rounds, onProgress }, publish) => {
  onProgress("preparing neighbours");
  await using stack = new AsyncDisposableStack();
  const sandbox = stack.use(await startSandbox({}, { database: "embedded" }));
  await sandbox.control.call("PUT", "partners/alpha/settings", {
    rateLimit: { perSecond: limitPerSecond, burst: limitPerSecond * 2 },
  });
  const neighbour = createPacedCaller(sandbox.file);
  stack.defer(async () => void (await neighbour.close()));
  const noisy = await forkScript(new URL("./noisy-caller.ts", import.meta.url), { args: [sandbox.dataDir] });
  stack.defer(() => noisy.close());
  const idle = await forkScript<number>(new URL("./idle-server.ts", import.meta.url));
  stack.defer(() => idle.close());
  const codes: Record<string, number> = {};
  const runWindow = async (paces: readonly Omit<Pace, "seconds">[], url?: string) => {
    await sleep(pauseMs);
    const [own, made] = await Promise.all([
      neighbour.call({ partner: "beta", perSecond: neighbourPerSecond, seconds }),
      noisy.ask<Record<string, number>[]>({ paces: paces.map((pace) => ({ ...pace, seconds, ...(url && { url }) })) }),
    ]);
    const notPaid = Object.keys(own.codes).filter((code) => code !== "2001700");
    if (notPaid.length > 0) throw new Error(`The neighbour was answered ${notPaid.join(", ")}.`);
    for (const [code, count] of made.flatMap((one) => Object.entries(one))) codes[code] = (codes[code] ?? 0) + count;
    return own.seen;
  };
  await runWindow(disturbances["strangers in a partner's name"]);
  const measured = Object.keys(disturbances).map((name) => [name, [] as Round[]] as const);
  for (let round = 1; round <= rounds; round += 1) {
    onProgress(`neighbours: round ${round} of ${rounds}`);
    for (const [name, seen] of measured) {
      const paces = disturbances[name as keyof typeof disturbances];
      seen.push({ alone: await runWindow(paces, `http://127.0.0.1:${idle.ready}`), disturbed: await runWindow(paces) });
    }
  }
  publish({
    report: `${figuresTable("beside", columns, measured)}\n\nAnswers to those who disturb: ${JSON.stringify(codes)}`,
    figures: { neighbours: { measured, codes } },
  });
};

const columns: readonly Column<Round>[] = [
  { title: "p50 ms, the others sent elsewhere", of: ({ alone }) => alone.p50Ms },
  { title: "p50 ms", of: ({ disturbed }) => disturbed.p50Ms },
  { title: "p99 ms, the others sent elsewhere", of: ({ alone }) => alone.p99Ms },
  { title: "p99 ms", of: ({ disturbed }) => disturbed.p99Ms },
  { title: "p99, ratio", of: ({ alone, disturbed }) => divide(disturbed.p99Ms, alone.p99Ms), withSpread: true },
];
