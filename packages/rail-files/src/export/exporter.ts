/**
 * Exports the instructions of a rail while this instance has its lease: sequences by a commit, then the lines, then the
 * record that they are written. Whatever fails gives the lease back: who takes it next compares the directory first.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type ExportLease, elapsedSince, momentOf } from "@titian/server/rails";
import { type Comparison, createComparison } from "./comparison.ts";
import { giveBackExport, type Held, keepExport, type LeaseWorkDeps, takeExport, writeNext } from "./lease-work.ts";

export interface Exporter {
  /** The lease, if this instance has it and the directory is the rail's. */
  held(): ExportLease | undefined;
  /** Reason why this instance exports nothing although it has the lease. */
  stoppedBecause(): string | undefined;
  /**
   * Reason why nobody knows what the database has forgotten of the directory; undefined: it was compared, and stays so.
   */
  uncomparedBecause(): string | undefined;
  /** Something was asked for here. */
  wake(): void;
  close(): Promise<void>;
}

const takeEveryMs = 250;
/** Interval at which it looks for what another node asked for: shorter while others ask. */
const lookEveryMs = 25;
const lookIdleMs = 100;
const idleAfterMs = 10_000;
const pauseAfterFailureMs = 1_000;
/** The longest that a start waits for a comparison. */
const compareMaxMs = 15_000;

export async function startExporter(deps: LeaseWorkDeps): Promise<Exporter> {
  const { clock, events } = deps;
  const closing = new AbortController();
  const comparison = createComparison(deps.records);
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
      if (held === undefined) await comparison.look();
      else comparison.done();
      if (held === undefined) return takeEveryMs;
      return elapsedSince(writtenAt, clock) < idleAfterMs ? lookEveryMs : lookIdleMs;
    } catch (error) {
      events.failed(error);
      comparison.failed(error);
      await giveBack();
      await comparison.look();
      return pauseAfterFailureMs;
    }
  };
  const pause = async (ms: number) => {
    if (isWoken && held !== undefined && held.stopsBecause === undefined) return;
    const { promise: woken, resolve } = Promise.withResolvers<void>();
    wakeUp = resolve;
    await rest(ms, woken, closing.signal);
  };
  const run = async (first: number) => {
    for (let ms = first; !closing.signal.aborted; ms = await workOnce()) await pause(ms);
    await giveBack();
  };
  const running = run(await workUntilCompared(deps, comparison, workOnce));
  return {
    held: () => (held?.stopsBecause === undefined ? held?.lease : undefined),
    stoppedBecause: () => held?.stopsBecause ?? deps.volume.silentBecause(),
    uncomparedBecause: comparison.because,
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

/** For so long, or until it is woken, or closed. */
async function rest(ms: number, woken: Promise<void>, closing: AbortSignal): Promise<void> {
  const done = new AbortController();
  const signal = AbortSignal.any([closing, done.signal]);
  await Promise.race([woken, sleep(ms, undefined, { signal }).catch(() => undefined)]);
  done.abort();
}

/** A start that waits spares callers what a node answers until then; one that waited long enough goes on without. */
async function workUntilCompared(
  { clock }: Pick<LeaseWorkDeps, "clock">,
  comparison: Comparison,
  workOnce: () => Promise<number>,
): Promise<number> {
  const beganAt = momentOf(clock);
  let ms = await workOnce();
  while (comparison.because() !== undefined && elapsedSince(beganAt, clock) < compareMaxMs) {
    await sleep(ms);
    ms = await workOnce();
  }
  return ms;
}
