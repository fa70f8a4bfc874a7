/** What a run of the tests prints: how far it is, each failure with what its file printed, and the counts at the end. */
import { relative, resolve } from "node:path";
import type { TestEvent } from "node:test/reporters";
import { inspect } from "node:util";

export interface TestReport {
  take(event: TestEvent): void;
  /** Something outside the tests that makes the run a failure. */
  fail(why: string): void;
  /** Prints the counts; answers whether all is well. */
  finish(): boolean;
}

type Passed = Extract<TestEvent, { type: "test:pass" }>["data"];
type Failed = Extract<TestEvent, { type: "test:fail" }>["data"];

const root = resolve(import.meta.dirname, "..");
const lineEveryMs = 20_000;
const slowestShown = 10;

export function createTestReport(fileCount: number): TestReport {
  const startedAt = performance.now();
  const counts = { tests: 0, suites: 0, pass: 0, fail: 0, cancelled: 0, skipped: 0, todo: 0 };
  const failures: string[] = [];
  /** Of each file that has ended (ms). */
  const times = new Map<string, number>();
  const printed = new Map<string, string>();
  const isTerminal = process.stdout.isTTY;
  let lineAt = startedAt;

  const elapsedMs = () => Math.round(performance.now() - startedAt);
  const say = (text: string) => console.log(isTerminal ? `\r\u001b[K${text}` : text);
  const showProgress = () => {
    if (!isTerminal && performance.now() - lineAt < lineEveryMs) return;
    lineAt = performance.now();
    const seconds = Math.round(elapsedMs() / 1_000);
    const text = `${times.size} of ${fileCount} files, ${counts.pass} passed, ${counts.fail} failed, ${seconds} s`;
    process.stdout.write(isTerminal ? `\r\u001b[K${text}` : `${text}\n`);
  };
  const fail = (text: string) => {
    failures.push(text);
    say(text);
  };
  const print = (file: string, text: string) => printed.set(file, `${printed.get(file) ?? ""}${text}`);
  const endFile = (file: string, tookMs: number, isClean: boolean) => {
    times.set(file, tookMs);
    const text = printed.get(file);
    if (!isClean && text !== undefined) say(`${relative(root, file)} printed:\n${text}`);
    printed.delete(file);
  };

  return {
    fail,
    take: ({ type, data }) => {
      if (type === "test:fail" && data.name === data.file) {
        // A process that was stopped is counted as a file that did not run to its end.
        if (failureTypeOf(data.details.error) === "testAborted") return;
        endFile(data.name, data.details.duration_ms, false);
      }
      if (type === "test:pass" || type === "test:fail") {
        for (const name of countsOf(data)) counts[name] += 1;
        const failure = "error" in data.details ? describeFailure(data as Failed) : undefined;
        if (failure !== undefined) fail(failure);
      } else if (type === "test:summary" && data.file !== undefined) endFile(data.file, data.duration_ms, data.success);
      else if (type === "test:diagnostic" && data.file !== undefined) print(data.file, `${data.message}\n`);
      else if (type === "test:stdout" || type === "test:stderr") print(data.file, data.message);
      showProgress();
    },
    finish: () => {
      const slowest = [...times].sort(([, one], [, other]) => other - one).slice(0, slowestShown);
      const inSeconds = (ms: number) => (ms / 1_000).toFixed(1).padStart(6);
      say(`\nSlowest files:\n${slowest.map(([file, ms]) => `${inSeconds(ms)} s ${relative(root, file)}\n`).join("")}`);
      for (const failure of failures) console.log(failure.split("\n", 1)[0]);
      for (const [name, figure] of Object.entries(counts)) console.log(`ℹ ${name} ${figure}`);
      console.log(`ℹ duration_ms ${elapsedMs()}`);
      const neverRan = fileCount - times.size;
      if (neverRan > 0) console.log(`${neverRan} files did not run to their end.`);
      console.log(`${counts.pass} passed, ${counts.fail + counts.cancelled} failed`);
      return failures.length === 0 && counts.fail + counts.cancelled + neverRan === 0;
    },
  };
}

/** As node counts. */
function countsOf(ended: Passed | Failed) {
  if (ended.details.type === "suite") return ["suites"] as const;
  if (ended.skip !== undefined) return ["tests", "skipped"] as const;
  if (ended.todo !== undefined) return ["tests", "todo"] as const;
  if (!("error" in ended.details)) return ["tests", "pass"] as const;
  return ["tests", failureTypeOf(ended.details.error) === "cancelledByParent" ? "cancelled" : "fail"] as const;
}

/** Undefined where its parts have been reported, or where it may fail. */
function describeFailure({ name, file, line, todo, details: { error } }: Failed): string | undefined {
  if (failureTypeOf(error) === "subtestsFailed" || todo !== undefined) return undefined;
  const place = file === undefined ? "" : ` (${relative(root, file)}:${line ?? 1})`;
  return `✖ ${name}${place}\n${inspect(error.cause ?? error)}\n`.replaceAll("\n", "\n  ");
}

function failureTypeOf(error: Error): unknown {
  return "failureType" in error ? error.failureType : undefined;
}
