/** Runs all windows, round by round, everybody in turn: what the machine does meanwhile hits all alike. */
import { type Disturbance, formatShare, leastDisturbed } from "./least-disturbed.ts";
import type { Load, Measured, Subject, SubjectName } from "./subject.ts";

/** One subject under one load; measured once a round. */
export interface Cell<Name extends string = SubjectName> {
  readonly subject: Name;
  readonly load: Load;
  readonly callers: number;
}

export interface Result<Name extends string = SubjectName> {
  readonly cell: Cell<Name>;
  /** One a round, in the order of rounds. */
  readonly windows: Measured[];
}

export interface Rounds<Name extends string> extends Disturbance {
  readonly subjects: readonly Subject<Name>[];
  readonly loads: readonly Load[];
  readonly callers: readonly number[];
  readonly rounds: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  /** Calls of the second warm-up, with a few callers. */
  readonly warmUpCalls: number;
}

export async function runRounds<Name extends string>(run: Rounds<Name>): Promise<readonly Result<Name>[]> {
  const { subjects, callers, rounds, onProgress } = run;
  await warmUp(run);
  const results = callers.flatMap((count) => resultsOf(run, count));
  let done = 0;
  for (let round = 0; round < rounds; round += 1) {
    for (const count of callers) {
      for (const { cell, windows } of rotate(
        results.filter((result) => result.cell.callers === count),
        round,
      )) {
        const measured = await measureCell(run, cell);
        windows.push(measured);
        done += 1;
        const at = `${String(done).padStart(4)}/${results.length * rounds}`;
        onProgress(`${at}  ${describeCell(cell)}  ${describeWindow(measured)}`);
      }
    }
    for (const subject of subjects) await subject.check();
  }
  return results;
}

/** The cells that are compared with each other: everybody under the same number of callers. */
function resultsOf<Name extends string>({ subjects, loads }: Rounds<Name>, callers: number): readonly Result<Name>[] {
  return subjects.flatMap(({ name, loads: taken }) =>
    taken
      .filter((load) => loads.includes(load))
      .map((load) => ({ cell: { subject: name, load, callers }, windows: [] })),
  );
}

/** Order of a round, starting with another one each time, so that none always follows the same neighbour's load. */
export function rotate<Item>(items: readonly Item[], round: number): readonly Item[] {
  const start = items.length === 0 ? 0 : round % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}

function measureCell<Name extends string>(run: Rounds<Name>, cell: Cell<Name>, calls?: number): Promise<Measured> {
  const subject = run.subjects.find(({ name }) => name === cell.subject);
  if (subject === undefined) throw new Error(`No subject ${cell.subject} was started.`);
  return leastDisturbed(run, describeCell(cell).trim(), () =>
    subject.run({ ...cell, seconds: run.seconds, ...(calls !== undefined && { calls }) }),
  );
}

/** A few callers alone would take long until V8 has compiled what they run. */
const warmUpCallersLeast = 64;
/** As few take another path than many, and are slow for thousands of calls: they are warmed up by themselves too. */
const fewCallersMost = 4;
const fewCallersSecondsMost = 30;

async function warmUp<Name extends string>(run: Rounds<Name>): Promise<void> {
  const callers = Math.max(run.callers[0] ?? 0, warmUpCallersLeast);
  for (const { cell } of resultsOf(run, callers)) {
    run.onProgress(`warming up ${describeCell(cell)}`);
    await measureCell({ ...run, seconds: run.warmUpSeconds, othersMost: 1 }, cell);
  }
  for (const { cell } of run.callers
    .filter((count) => count <= fewCallersMost)
    .flatMap((count) => resultsOf(run, count))) {
    run.onProgress(`warming up ${describeCell(cell)}, ${run.warmUpCalls} calls`);
    await measureCell({ ...run, seconds: fewCallersSecondsMost, othersMost: 1 }, cell, run.warmUpCalls);
  }
}

function describeCell({ subject, load, callers }: Cell<string>): string {
  return `${subject.padEnd(10)} ${load.padEnd(9)} ${String(callers).padStart(4)}`;
}

function describeWindow(measured: Measured): string {
  const { perSecond, p50Ms, p99Ms, postgresUs, nodeUs } = measured;
  const figure = (value: number | undefined) => (value === undefined ? "-" : value.toFixed(value < 100 ? 1 : 0));
  return [
    `${perSecond.toFixed(0).padStart(7)}/s`,
    `p50 ${figure(p50Ms)} ms, p99 ${figure(p99Ms)} ms`,
    `PostgreSQL ${figure(postgresUs)} us, Node ${figure(nodeUs)} us`,
    `others ${formatShare(measured)}`,
  ].join("   ");
}
