/**
 * Exports the instructions of a rail while this instance has its lease: sequences by a commit, then the lines, then the
 * record that they are written. Whatever fails gives the lease back: who takes it next compares the directory first.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type ExportLease, elapsedSince, momentOf } from "@titian/server/rails";
import { giveBackExport, type Held, keepExport, type LeaseWorkDeps, takeExport, writeNext } from "./lease-work.ts";

export interface Exporter {
  /** The lease, if this instance has it and the directory is the rail's. */
  held(): ExportLease | undefined;
  /** Why this instance exports nothing although it has the lease. */
  stoppedBecause(): string | undefined;
  /** Something was asked for here. */
  wake(): void;
  close(): Promise<void>;
}

const takeEveryMs = 250;
/** How soon what another node asked for is seen: sooner while others ask. */
const lookEveryMs = 25;
const lookIdleMs = 100;
const idleAfterMs = 10_000;
const pauseAfterFailureMs = 1_000;
/** The longest that a start waits for another instance's comparison. */
const compareMaxMs = 15_000;

export async function startExporter(deps: LeaseWorkDeps): Promise<Exporter> {
  const { clock, events } = deps;
  const closing = new AbortController();
  let held: Held | undefined;
  let isWoken = false;
  let wakeUp = () => {};
  let writtenAt = momentOf(clock);

  const giveBack = async () => {
    const last = held;
    held = undefined;
    if (last) await giveBackExport(last);
  };
  const work = async () => {
    held ??= await takeExport(deps);
    const isAskedHere = isWoken;
    isWoken = false;
    if (held === undefined) return;
    const mayExport = await keepExport(deps, held);
    if (mayExport === undefined) await giveBack();
    if (mayExport !== true) return;
    if (!isAskedHere && !(await held.lease.areAskedFor())) return;
    while (!closing.signal.aborted && (await writeNext(deps, held))) {
      writtenAt = momentOf(clock);
      await keepExport(deps, held);
    }
  };
  /** Returns how long to pause. */
  const workOnce = async () => {
    try {
      await work();
      if (held === undefined) return takeEveryMs;
      return elapsedSince(writtenAt, clock) < idleAfterMs ? lookEveryMs : lookIdleMs;
    } catch (error) {
      events.failed(error);
      await giveBack();
      return pauseAfterFailureMs;
    }
  };
  const pause = async (ms: number) => {
    if (isWoken && held !== undefined && held.stopsBecause === undefined) return;
    const { promise: woken, resolve } = Promise.withResolvers<void>();
    wakeUp = resolve;
    const done = new AbortController();
    const signal = AbortSignal.any([closing.signal, done.signal]);
    await Promise.race([woken, sleep(ms, undefined, { signal }).catch(() => undefined)]);
    done.abort();
  };
  const run = async (first: number) => {
    for (let ms = first; !closing.signal.aborted; ms = await workOnce()) await pause(ms);
    await giveBack();
  };
  const running = run(await workUntilCompared(deps, workOnce));
  return {
    held: () => (held?.stopsBecause === undefined ? held?.lease : undefined),
    stoppedBecause: () => held?.stopsBecause,
    wake: () => {
      isWoken = true;
      wakeUp();
    },
    close: async () => {
      closing.abort();
      await running;
    },
  };
}

/** Until the instance that has the lease has compared the directory, nobody knows what the database has forgotten. */
async function workUntilCompared(
  { clock, records }: Pick<LeaseWorkDeps, "clock" | "records">,
  workOnce: () => Promise<number>,
): Promise<number> {
  const isCompared = async () => {
    const found = await records.find({ numbers: [] }).catch(() => undefined);
    return found?.isCompared === true;
  };
  const beganAt = momentOf(clock);
  let ms = await workOnce();
  while (ms === takeEveryMs && elapsedSince(beganAt, clock) < compareMaxMs && !(await isCompared())) {
    await sleep(ms);
    ms = await workOnce();
  }
  return ms;
}
