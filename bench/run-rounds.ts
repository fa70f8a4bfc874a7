/** Runs all windows, round by round, everybody in turn: what the machine does meanwhile hits all alike. */
import { type Cell, type Group, rotate } from "./plan.ts";
import type { Measured, Subject } from "./subject.ts";

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
  readonly onProgress: (text: string) => void;
}

/** Long enough for V8 to have compiled what is hot, for plans to be made and pages to be read. */
const warmUpSeconds = 2;

export async function runRounds({ subjects, groups, rounds, seconds, onProgress }: Rounds): Promise<readonly Result[]> {
  const results = new Map<Cell, Result>(
    groups.flatMap(({ cells }) => cells.map((cell) => [cell, { cell, windows: [] }] as const)),
  );
  const total = results.size * rounds;
  let done = 0;
  await warmUp(subjects, onProgress);
  for (let round = 0; round < rounds; round += 1) {
    for (const { cells } of groups) {
      for (const cell of rotate(cells, round)) {
        const measured = await subjectOf(subjects, cell).run({ ...cell, seconds });
        results.get(cell)?.windows.push(measured);
        done += 1;
        onProgress(`${String(done).padStart(4)}/${total}  ${describeCell(cell)}  ${describeWindow(measured)}`);
      }
    }
    for (const subject of subjects) await subject.check();
  }
  return [...results.values()];
}

async function warmUp(subjects: readonly Subject[], onProgress: (text: string) => void): Promise<void> {
  for (const subject of subjects) {
    onProgress(`warming up ${subject.name}`);
    for (const spread of subject.spreads) await subject.run({ spread, callers: 64, seconds: warmUpSeconds });
  }
}

function subjectOf(subjects: readonly Subject[], { subject }: Cell): Subject {
  const found = subjects.find(({ name }) => name === subject);
  if (found === undefined) throw new Error(`No subject ${subject} was started.`);
  return found;
}

function describeCell({ subject, spread, callers }: Cell): string {
  return subject === "tpcb"
    ? "tpcb    c=8         "
    : `${subject.padEnd(7)} ${spread.padEnd(7)} ${String(callers).padStart(4)}`;
}

function describeWindow({ perSecond, p50Ms, p99Ms, postgresUs, nodeUs }: Measured): string {
  const figure = (value: number | undefined) => (value === undefined ? "-" : value.toFixed(value < 100 ? 1 : 0));
  return [
    `${perSecond.toFixed(0).padStart(7)}/s`,
    `p50 ${figure(p50Ms)} ms, p99 ${figure(p99Ms)} ms`,
    `PostgreSQL ${figure(postgresUs)} us, Node ${figure(nodeUs)} us`,
  ].join("   ");
}
