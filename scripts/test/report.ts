/** Report of a run of the tests: how far it is, each failure with what its unit printed, and the counts at the end. */
import { relative, resolve } from "node:path";
import { cpuTimeMs } from "./cpu-time.ts";
import type { FileEvent } from "./file-events.ts";
import type { FileTimes, TestUnit, UnitEnd } from "./run-unit.ts";

export interface TestReport {
  take(unit: TestUnit, event: FileEvent): void;
  /** Takes a unit's output: shown when it fails. */
  print(unit: TestUnit, text: string): void;
  endUnit(unit: TestUnit, end: UnitEnd): void;
  /** Something outside the tests that makes the run a failure. */
  fail(why: string): void;
  /** Prints the times and the counts; answers whether all is well. */
  finish(): boolean;
  /** Duration of each file. */
  seconds(): ReadonlyMap<string, number>;
}

export interface ReportOptions {
  readonly fileCount: number;
  /** Number of files in the table of times. */
  readonly timesShown: number;
}

type Ended = Extract<FileEvent, { kind: "end" }>;

const root = resolve(import.meta.dirname, "../..");
const lineEveryMs = 20_000;

export function createTestReport({ fileCount, timesShown }: ReportOptions): TestReport {
  const startedAt = performance.now();
  const counts = { tests: 0, suites: 0, pass: 0, fail: 0, cancelled: 0, skipped: 0, todo: 0 };
  const failures: string[] = [];
  /** Count of the units that have ended. */
  const times: FileTimes[] = [];
  const printed = new Map<TestUnit, string>();
  const isTerminal = process.stdout.isTTY;
  let filesEnded = 0;
  let lineAt = startedAt;

  const elapsedMs = () => Math.round(performance.now() - startedAt);
  const say = (text: string) => console.log(isTerminal ? `\r\u001b[K${text}` : text);
  const showProgress = () => {
    if (!isTerminal && performance.now() - lineAt < lineEveryMs) return;
    lineAt = performance.now();
    const seconds = Math.round(elapsedMs() / 1_000);
    const text = `${filesEnded} of ${fileCount} files, ${counts.pass} passed, ${counts.fail} failed, ${seconds} s`;
    process.stdout.write(isTerminal ? `\r\u001b[K${text}` : `${text}\n`);
  };
  const fail = (text: string) => {
    failures.push(text);
    say(text);
  };
  const print = (unit: TestUnit, text: string) => void printed.set(unit, `${printed.get(unit) ?? ""}${text}`);

  return {
    fail,
    print,
    take: (unit, event) => {
      if (event.kind === "diagnostic") print(unit, `${event.message}\n`);
      if (event.kind !== "end") return;
      for (const name of countsOf(event)) counts[name] += 1;
      const failure = describeFailure(event);
      if (failure !== undefined) fail(failure);
      showProgress();
    },
    endUnit: (unit, end) => {
      // A unit that was stopped did not run to its end.
      if (!end.isStopped) {
        filesEnded += unit.files.length;
        times.push(...end.times);
        if (end.failure !== undefined) fail(`✖ ${end.failure.replaceAll(`${root}/`, "")}`);
        const text = printed.get(unit);
        if (!(end.isClean && end.failure === undefined) && text !== undefined) say(`${unit.name} printed:\n${text}`);
      }
      printed.delete(unit);
      showProgress();
    },
    seconds: () => {
      return new Map(times.map(({ file, tookMs }) => [nameOf(file), tookMs / 1_000]));
    },
    finish: () => {
      say(`\nSeconds of CPU and of time:\n${describeTimes(times, timesShown)}`);
      for (const failure of failures) console.log(failure.split("\n", 1)[0]);
      for (const [name, figure] of Object.entries(counts)) console.log(`ℹ ${name} ${figure}`);
      console.log(`ℹ cpu_ms ${Math.round(cpuTimeMs())}`);
      console.log(`ℹ duration_ms ${elapsedMs()}`);
      const neverRan = fileCount - filesEnded;
      if (neverRan > 0) console.log(`${neverRan} files did not run to their end.`);
      const isEmpty = counts.tests === 0;
      if (isEmpty) console.log("No test ran.");
      console.log(`${counts.pass} passed, ${counts.fail + counts.cancelled} failed`);
      return !isEmpty && failures.length === 0 && counts.fail + counts.cancelled + neverRan === 0;
    },
  };
}

const nameOf = (file: string) => relative(root, file);

/** The files that took longest, a line each. */
function describeTimes(times: readonly FileTimes[], shown: number): string {
  const inSeconds = (ms: number | undefined) => (ms === undefined ? "?" : (ms / 1_000).toFixed(1)).padStart(7);
  return times
    .toSorted((one, other) => other.tookMs - one.tookMs)
    .slice(0, shown)
    .map(({ file, cpuMs, tookMs }) => `${inSeconds(cpuMs)} ${inSeconds(tookMs)}  ${nameOf(file)}\n`)
    .join("");
}

/** As node counts. */
function countsOf({ isSuite, isSkipped, isTodo, failure }: Ended) {
  if (isSuite) return ["suites"] as const;
  if (isSkipped) return ["tests", "skipped"] as const;
  if (isTodo) return ["tests", "todo"] as const;
  if (failure === undefined) return ["tests", "pass"] as const;
  return ["tests", failure.type === "cancelledByParent" ? "cancelled" : "fail"] as const;
}

/** Undefined where its parts have been reported, or where it may fail. */
function describeFailure({ name, place, isTodo, failure }: Ended): string | undefined {
  if (failure === undefined || failure.type === "subtestsFailed" || isTodo) return undefined;
  return `✖ ${name} (${relative(root, place)})\n${failure.text}\n`.replaceAll("\n", "\n  ");
}
