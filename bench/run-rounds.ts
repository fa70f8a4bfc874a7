/** Runs all windows, round by round, everybody in turn: what the machine does meanwhile hits all alike. */
import { formatShare, leastDisturbed } from "./part.ts";
import { type Cell, type Group, rotate } from "./plan.ts";
import { isTpcb, type Measured, type Subject } from "./subject.ts";

export interface Result {
  readonly cell: Cell;
  /** One a round, in the order of rounds. */
  readonly windows: Measured[];
}

export interface Rounds {
  readonly subjects: readonly Subject[];
  readonly groups: readonly Group[];
  readonly rounds: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  /** A window in which others took a larger share of the machine is measured again. */
  readonly othersMost: number;
  readonly onProgress: (text: string) => void;
}

export async function runRounds(run: Rounds): Promise<readonly Result[]> {
  const { subjects, groups, rounds, onProgress } = run;
  const results = new Map<Cell, Result>(
    groups.flatMap(({ cells }) => cells.map((cell) => [cell, { cell, windows: [] }] as const)),
  );
  const total = results.size * rounds;
  let done = 0;
  await warmUp(run);
  for (let round = 0; round < rounds; round += 1) {
    for (const { cells } of groups) {
      for (const cell of rotate(cells, round)) {
        const measured = await measureCell(run, cell);
        results.get(cell)?.windows.push(measured);
        done += 1;
        onProgress(`${String(done).padStart(4)}/${total}  ${describeCell(cell)}  ${describeWindow(measured)}`);
      }
    }
    for (const subject of subjects) await subject.check();
  }
  return [...results.values()];
}

function measureCell(run: Rounds, cell: Cell): Promise<Measured> {
  const subject = subjectOf(run.subjects, cell);
  return leastDisturbed(run, describeCell(cell).trim(), () => subject.run({ ...cell, seconds: run.seconds }));
}

/** A few callers alone would take long until V8 has compiled what they run. */
const warmUpCallersLeast = 64;

async function warmUp({ subjects, groups, warmUpSeconds, onProgress }: Rounds): Promise<void> {
  for (const { load, subject, callers: measured } of groups[0]?.cells ?? []) {
    const callers = Math.max(measured, warmUpCallersLeast);
    onProgress(`warming up ${describeCell({ load, subject, callers })}`);
    await subjectOf(subjects, { load, subject, callers }).run({ load, callers, seconds: warmUpSeconds });
  }
}

function subjectOf(subjects: readonly Subject[], { subject }: Cell): Subject {
  const found = subjects.find(({ name }) => name === subject);
  if (found === undefined) throw new Error(`No subject ${subject} was started.`);
  return found;
}

function describeCell({ subject, load, callers }: Cell): string {
  const [padded, count] = [subject.padEnd(7), String(callers).padStart(4)];
  return isTpcb(subject) ? `${padded} ${"".padEnd(16)}` : `${padded} ${load.padEnd(11)} ${count}`;
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
