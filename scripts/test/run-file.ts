/**
 * One test file in a process, and a process group, of its own. It always ends: a file that outlives its limit, ignores
 * signals, or leaves a process behind that holds its output is killed with all it started.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { eventsPipe, fileVariable, type FileEvent } from "./file-events.ts";

export interface FileLimits {
  /** From the start of the process to its end. */
  readonly fileMs: number;
  /** From SIGTERM to SIGKILL. */
  readonly killMs: number;
  /** From the end of the process to the end of its output. */
  readonly outputMs: number;
}

export interface RunFileOptions {
  readonly file: string;
  /** Working directory of the process; absent: that of this one. */
  readonly directory?: string;
  /** Options of node beside those of every test file. */
  readonly nodeOptions: readonly string[];
  readonly limits: FileLimits;
  readonly signal: AbortSignal;
  readonly onEvent: (event: FileEvent) => void;
  readonly onOutput: (text: string) => void;
}

/** `failure`: what the file itself did wrong, beside the failures of its tests. */
export interface FileEnd {
  readonly tookMs: number;
  readonly isClean: boolean;
  readonly failure?: string;
  /** The run was stopped before the file had ended. */
  readonly isStopped: boolean;
}

const reporter = resolve(import.meta.dirname, "send-events.ts");
const living = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of living) killGroup(child, "SIGKILL");
});

export async function runFile(options: RunFileOptions): Promise<FileEnd> {
  const { file, limits, signal, onEvent } = options;
  const startedAt = performance.now();
  const child = startFile(options);
  let hasSummary = false;
  let hasFailures = false;
  const take = (event: FileEvent) => {
    hasSummary ||= event.kind === "summary";
    hasFailures ||= event.kind === "end" && event.failure !== undefined && !event.isTodo;
    onEvent(event);
  };
  readEvents(child, take);
  const ended = new Promise<string>((done) => {
    child.once("error", (error) => done(error.message));
    child.once("exit", (code, by) => done(by ?? `exit code ${code}`));
  });
  const closed = new Promise<boolean>((done) => void child.once("close", () => done(true)));

  let failure: string | undefined;
  const stop = () => void endGroup(child, limits.killMs);
  const overdue = setTimeout(() => {
    failure = `${file} outlived its limit of ${limits.fileMs / 1_000} s and was killed`;
    stop();
  }, limits.fileMs);
  signal.addEventListener("abort", stop, { once: true });
  const end = await ended;
  clearTimeout(overdue);
  if (!(await within(closed, limits.outputMs))) {
    failure ??= `${file} ended and left a process behind that holds its output; its process group was killed`;
    killGroup(child, "SIGKILL");
    // A process in a group of its own may still hold the pipes.
    if (!(await within(closed, limits.killMs))) for (const stream of child.stdio) stream?.destroy();
  } else if (failure !== undefined) killGroup(child, "SIGKILL");
  living.delete(child);
  signal.removeEventListener("abort", stop);
  const isClean = end === "exit code 0" && hasSummary;
  if (!isClean && !hasFailures) failure ??= `${file} ended before its tests had ended (${end})`;
  return { tookMs: performance.now() - startedAt, isClean, isStopped: signal.aborted, ...(failure && { failure }) };
}

function startFile({ file, directory, nodeOptions, onOutput }: RunFileOptions): ChildProcess {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const args = [
    "--conditions=source",
    ...nodeOptions,
    `--test-reporter=${reporter}`,
    "--test-reporter-destination=stdout",
  ];
  const child = spawn(process.execPath, [...args, file], {
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    ...(directory !== undefined && { cwd: directory }),
    env: { ...env, [fileVariable]: file },
    detached: process.platform !== "win32",
  });
  living.add(child);
  child.stdout?.setEncoding("utf8").on("data", onOutput);
  child.stderr?.setEncoding("utf8").on("data", onOutput);
  return child;
}

function readEvents(child: ChildProcess, take: (event: FileEvent) => void): void {
  const pipe = child.stdio[eventsPipe];
  if (pipe === null || pipe === undefined || !("readable" in pipe))
    throw new Error("The test file has no pipe of events.");
  // Both sides are this program.
  createInterface({ input: pipe }).on("line", (line) => take(JSON.parse(line) as FileEvent));
}

async function endGroup(child: ChildProcess, killMs: number): Promise<void> {
  killGroup(child, "SIGTERM");
  await sleep(killMs, undefined, { ref: false });
  if (living.has(child)) killGroup(child, "SIGKILL");
}

/** The process of the file and what it started; on Windows, which has no groups, the process alone. */
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
