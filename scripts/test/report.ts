/** What a run of the tests prints: how far it is, each failure with what its file printed, and the counts at the end. */
import { relative, resolve } from "node:path";
import type { FileEvent } from "./file-events.ts";
import type { FileEnd } from "./run-file.ts";

export interface TestReport {
  take(file: string, event: FileEvent): void;
  /** What a file printed: shown when it fails. */
  print(file: string, text: string): void;
  endFile(file: string, end: FileEnd): void;
  /** Something outside the tests that makes the run a failure. */
  fail(why: string): void;
  /** Prints the counts; answers whether all is well. */
  finish(): boolean;
}

type Ended = Extract<FileEvent, { kind: "end" }>;

const root = resolve(import.meta.dirname, "../..");
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
  const print = (file: string, text: string) => void printed.set(file, `${printed.get(file) ?? ""}${text}`);

  return {
    fail,
    print,
    take: (file, event) => {
      if (event.kind === "diagnostic") print(file, `${event.message}\n`);
      if (event.kind !== "end") return;
      for (const name of countsOf(event)) counts[name] += 1;
      const failure = describeFailure(event);
      if (failure !== undefined) fail(failure);
      showProgress();
    },
    endFile: (file, { tookMs, isClean, isStopped, failure }) => {
      // A file that was stopped did not run to its end.
      if (!isStopped) {
        times.set(file, tookMs);
        if (failure !== undefined) fail(`✖ ${failure.replaceAll(`${root}/`, "")}`);
        const text = printed.get(file);
        if (!(isClean && failure === undefined) && text !== undefined) say(`${relative(root, file)} printed:\n${text}`);
      }
      printed.delete(file);
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
