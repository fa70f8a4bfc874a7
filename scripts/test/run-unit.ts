/**
 * A test unit, which is one test file or several, in a process, and a process group, of its own. It always ends: one that
 * outlives its limit, ignores signals, or leaves a process behind that holds its output is killed with all it started.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { eventsPipe, fileVariable, type FileEvent } from "./file-events.ts";

/** Unit of tests that one process runs. */
export interface TestUnit {
  readonly name: string;
  /** Several share the process, one after the other. */
  readonly files: readonly string[];
  /** Variables of its own; undefined: without that one. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

export interface UnitLimits {
  /** From the start of the process to its end. */
  readonly unitMs: number;
  /** From SIGTERM to SIGKILL. */
  readonly killMs: number;
  /** From the end of the process to the end of its output. */
  readonly outputMs: number;
}

export interface RunUnitOptions {
  readonly unit: TestUnit;
  /** Working directory of the process; absent: that of this one. */
  readonly directory?: string;
  /** Options of node beside those of every unit. */
  readonly nodeOptions: readonly string[];
  readonly limits: UnitLimits;
  readonly signal: AbortSignal;
  readonly onEvent: (event: FileEvent) => void;
  readonly onOutput: (text: string) => void;
}

export interface FileTimes {
  readonly file: string;
  readonly tookMs: number;
  /** Undefined where the process could not say it. */
  readonly cpuMs: number | undefined;
}

export interface UnitEnd {
  /** Times of its files that began. */
  readonly times: readonly FileTimes[];
  readonly isClean: boolean;
  /** Failure of the unit itself, beside the failures of its tests. */
  readonly failure?: string;
  /** The run was stopped before the unit had ended. */
  readonly isStopped: boolean;
}

const together = resolve(import.meta.dirname, "run-together.ts");
const reporter = resolve(import.meta.dirname, "send-events.ts");
const living = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of living) killGroup(child, "SIGKILL");
});

export async function runUnit(options: RunUnitOptions): Promise<UnitEnd> {
  const { unit, limits, signal } = options;
  const child = startUnit(options);
  const progress = followProgress(child, options);
  const ended = new Promise<string>((done) => {
    child.once("error", (error) => done(error.message));
    child.once("exit", (code, by) => done(by ?? `exit code ${code}`));
  });
  const closed = new Promise<boolean>((done) => void child.once("close", () => done(true)));

  let failure: string | undefined;
  const stop = () => void endGroup(child, limits.killMs);
  const overdue = setTimeout(() => {
    failure = `${progress.place()} outlived its limit of ${limits.unitMs / 1_000} s and was killed`;
    stop();
  }, limits.unitMs);
  signal.addEventListener("abort", stop, { once: true });
  const end = await ended;
  clearTimeout(overdue);
  if (!(await within(closed, limits.outputMs))) {
    failure ??= `${unit.name} ended and left a process behind that holds its output; its process group was killed`;
    killGroup(child, "SIGKILL");
    // A process in a group of its own may still hold the pipes.
    if (!(await within(closed, limits.killMs))) for (const stream of child.stdio) stream?.destroy();
  } else if (failure !== undefined) killGroup(child, "SIGKILL");
  living.delete(child);
  signal.removeEventListener("abort", stop);
  const { hasSummary, hasFailures, empty } = progress.seen;
  const isClean = end === "exit code 0" && hasSummary;
  if (empty.length > 0) failure ??= `No test in ${empty.join(", ")}`;
  if (!isClean && !hasFailures) failure ??= `${progress.place()} ended before its tests had ended (${end})`;
  return { times: progress.times(), isClean, isStopped: signal.aborted, ...(failure && { failure }) };
}

function startUnit({ unit: { files, environment }, directory, nodeOptions, onOutput }: RunUnitOptions): ChildProcess {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const args = [
    "--conditions=source",
    ...nodeOptions,
    `--test-reporter=${reporter}`,
    "--test-reporter-destination=stdout",
  ];
  const [main = together, ...others] = files.length > 1 ? [together, ...files] : files;
  const child = spawn(process.execPath, [...args, main, ...others], {
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    ...(directory !== undefined && { cwd: directory }),
    env: { ...env, ...environment, [fileVariable]: main },
    detached: process.platform !== "win32",
  });
  living.add(child);
  child.stdout?.setEncoding("utf8").on("data", onOutput);
  child.stderr?.setEncoding("utf8").on("data", onOutput);
  return child;
}

/** Hands the events on, and keeps what the end of the process is judged by. */
function followProgress(child: ChildProcess, { unit, onEvent }: RunUnitOptions) {
  const seen = { hasSummary: false, hasFailures: false, empty: [] as string[] };
  const begun: Begun[] = [];
  let cpuMs: number | undefined;
  let tests = 0;
  const startedAt = performance.now();
  readEvents(child, (event) => {
    // The first begins with the process.
    if (event.kind === "begin")
      begun.push(begun.length === 0 ? { ...event, at: startedAt, cpuMs: 0 } : { ...event, at: performance.now() });
    if (event.kind === "summary") seen.hasSummary = true;
    if (event.kind === "usage") cpuMs = event.cpuMs;
    if (event.kind === "end") {
      seen.hasFailures ||= event.failure !== undefined && !event.isTodo;
      // The file itself, as a test around its own, whose ends come before.
      const isWhole = unit.files.includes(event.name);
      if (isWhole && tests === 0 && event.failure === undefined) seen.empty.push(event.name);
      tests = isWhole ? 0 : tests + 1;
      if (isWhole && (event.failure === undefined || event.failure.type === "subtestsFailed")) return;
    }
    onEvent(event);
  });
  /** The file that was under way, where several share the process. */
  const place = () => (begun.length === 0 ? unit.name : `${begun.at(-1)?.file}, in ${unit.name},`);
  const times = () => {
    const [file = ""] = unit.files;
    const all = begun.length > 0 ? begun : [{ file, at: startedAt, cpuMs: 0 }];
    return timesOf(all, { at: performance.now(), cpuMs });
  };
  return { seen, place, times };
}

interface Begun {
  readonly file: string;
  readonly at: number;
  /** CPU time that the process had used. */
  readonly cpuMs: number;
}

function timesOf(begun: readonly Begun[], end: { readonly at: number; readonly cpuMs: number | undefined }) {
  return begun.map(({ file, at, cpuMs }, index): FileTimes => {
    const next = begun[index + 1] ?? end;
    return { file, tookMs: next.at - at, cpuMs: next.cpuMs === undefined ? undefined : next.cpuMs - cpuMs };
  });
}

function readEvents(child: ChildProcess, take: (event: FileEvent) => void): void {
  const pipe = child.stdio[eventsPipe];
  if (pipe === null || pipe === undefined || !("readable" in pipe))
    throw new Error("The test unit has no pipe of events.");
  // Both sides are this program.
  createInterface({ input: pipe }).on("line", (line) => take(JSON.parse(line) as FileEvent));
}

async function endGroup(child: ChildProcess, killMs: number): Promise<void> {
  killGroup(child, "SIGTERM");
  await sleep(killMs, undefined, { ref: false });
  if (living.has(child)) killGroup(child, "SIGKILL");
}

/** The process of the unit and what it started; on Windows, which has no groups, the process alone. */
function killGroup(child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === "win32") child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch {
    // All of it has ended.
  }
}

async function within(done: Promise<boolean>, ms: number): Promise<boolean> {
  const cancel = new AbortController();
  const late = sleep(ms, false, { signal: cancel.signal }).catch(() => false);
  try {
    return await Promise.race([done, late]);
  } finally {
    cancel.abort();
  }
}
