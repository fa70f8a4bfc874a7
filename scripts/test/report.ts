/** Report of a run of the tests: how far it is, each failure with what its unit printed, and the counts at the end. */
import { relative, resolve } from "node:path";
import { cpuTimeMs } from "./cpu-time.ts";
import type { FileEvent } from "./file-events.ts";
import { type CountName, countNames, createUnitResults, type UnitResults } from "./unit-results.ts";
import type { FileTimes, TestUnit, UnitEnd } from "./run-unit.ts";

export interface TestReport {
  take(unit: TestUnit, event: FileEvent): void;
  /** Takes a unit's output: shown when it fails. */
  print(unit: TestUnit, text: string): void;
  endUnit(unit: TestUnit, end: UnitEnd): void;
  /** Something outside the tests that makes the run a failure. */
  fail(why: string): void;
  /** Units that ended with failures. */
  failedUnits(): readonly TestUnit[];
  /** Forgets the results of units that run again. Their failures stand at the end as unsteady: they failed beside other tests. */
  takeBack(units: readonly TestUnit[]): void;
  /** Prints the times and the counts; answers whether all is well. */
  finish(): boolean;
  /** Duration of each file. */
  seconds(): ReadonlyMap<string, number>;
}

export interface ReportOptions {
  readonly fileCount: number;
  /** Number of files in the table of times. */
  readonly timesShown: number;
  /** Takes a line, or several; absent: the terminal. */
  readonly print?: (text: string) => void;
}

type Ended = Extract<FileEvent, { kind: "end" }>;

const root = resolve(import.meta.dirname, "../..");
const lineEveryMs = 20_000;

export function createTestReport({ fileCount, timesShown, print: line = console.log }: ReportOptions): TestReport {
  const startedAt = performance.now();
  const results = createUnitResults();
  /** Failures of no unit. */
  const outside: string[] = [];
  /** Count of the units that have ended. */
  const times: FileTimes[] = [];
  const printed = new Map<TestUnit, string>();
  const isTerminal = process.stdout.isTTY;
  let lineAt = startedAt;

  const elapsedMs = () => Math.round(performance.now() - startedAt);
  const say = (text: string) => line(isTerminal ? `\r\u001b[K${text}` : text);
  const showProgress = () => {
    if (!isTerminal && performance.now() - lineAt < lineEveryMs) return;
    lineAt = performance.now();
    const seconds = Math.round(elapsedMs() / 1_000);
    const [passed, failed] = [results.total("pass"), results.total("fail")];
    const text = `${results.filesEnded()} of ${fileCount} files, ${passed} passed, ${failed} failed, ${seconds} s`;
    process.stdout.write(isTerminal ? `\r\u001b[K${text}` : `${text}\n`);
  };
  const fail = (text: string, list = outside) => {
    list.push(text);
    say(text);
  };
  const print = (unit: TestUnit, text: string) => void printed.set(unit, `${printed.get(unit) ?? ""}${text}`);

  return {
    fail: (why) => fail(why),
    print,
    failedUnits: results.failedUnits,
    takeBack: results.takeBack,
    take: (unit, event) => {
      if (event.kind === "diagnostic") print(unit, `${event.message}\n`);
      if (event.kind !== "end") return;
      const result = results.of(unit);
      for (const name of countsOf(event)) result.counts[name] += 1;
      const failure = describeFailure(event);
      if (failure !== undefined) fail(failure, result.failures);
      showProgress();
    },
    endUnit: (unit, end) => {
      // A unit that was stopped did not run to its end.
      if (!end.isStopped) {
        const result = results.of(unit);
        result.filesEnded = unit.files.length;
        times.push(...end.times);
        if (end.failure !== undefined) fail(`✖ ${end.failure.replaceAll(`${root}/`, "")}`, result.failures);
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
      const { lines, isGood } = describeEnd(results, { outside, fileCount, elapsedMs: elapsedMs() });
      for (const text of lines) line(text);
      return isGood;
    },
  };
}

interface Run {
  /** Failures of no unit. */
  readonly outside: readonly string[];
  readonly fileCount: number;
  readonly elapsedMs: number;
}

/** First lines of the failures, the counts, and whether all is well. */
function describeEnd(results: UnitResults, { outside, fileCount, elapsedMs }: Run) {
  const unsteady = results.unsteady();
  const failures = [...outside, ...results.failures()];
  const neverRan = fileCount - results.filesEnded();
  const isEmpty = results.total("tests") === 0;
  const failed = results.total("fail") + results.total("cancelled");
  const lines = [
    ...failures.map(firstLine),
    ...(unsteady.length > 0 ? ["Failed beside other tests, and ran again by themselves:"] : []),
    ...unsteady.map(firstLine),
    ...countNames.map((name) => `ℹ ${name} ${results.total(name)}`),
    `ℹ unsteady ${unsteady.length}`,
    `ℹ cpu_ms ${Math.round(cpuTimeMs())}`,
    `ℹ duration_ms ${elapsedMs}`,
    ...(neverRan > 0 ? [`${neverRan} files did not run to their end.`] : []),
    ...(isEmpty ? ["No test ran."] : []),
    `${results.total("pass")} passed, ${failed} failed`,
  ];
  return { lines, isGood: !isEmpty && failures.length === 0 && failed + neverRan === 0 };
}

const firstLine = (text: string) => text.split("\n", 1).join("");
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
function countsOf({ isSuite, isSkipped, isTodo, failure }: Ended): readonly CountName[] {
  if (isSuite) return ["suites"];
  if (isSkipped) return ["tests", "skipped"];
  if (isTodo) return ["tests", "todo"];
  if (failure === undefined) return ["tests", "pass"];
  return ["tests", failure.type === "cancelledByParent" ? "cancelled" : "fail"];
}

/** Undefined where its parts have been reported, or where it may fail. */
function describeFailure({ name, place, isTodo, failure }: Ended): string | undefined {
  if (failure === undefined || failure.type === "subtestsFailed" || isTodo) return undefined;
  return `✖ ${name} (${relative(root, place)})\n${failure.text}\n`.replaceAll("\n", "\n  ");
}
