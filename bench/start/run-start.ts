/** One start of the sandbox in a process of its own, timed by what it prints, and its stop. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { childrenOf, clusterCpuUs, nameOf, processCpuUs } from "../cpu.ts";

/** Milliseconds since the process was started, and CPU until it was ready. */
export interface Start {
  /** Until it began with PostgreSQL: npm and Node are there, and modules are loaded. */
  readonly loadedMs: number;
  /** Until the first migration was applied; undefined where none was. */
  readonly createdMs: number | undefined;
  /** Until it filled the database; undefined where that had been done. */
  readonly migratedMs: number | undefined;
  readonly readyMs: number;
  readonly nodeUs: number | undefined;
  readonly postgresUs: number | undefined;
}

export interface StartOptions {
  readonly tree: string;
  readonly dataDir: string;
  readonly byNpm: boolean;
}

const readyWithinMs = 90_000;
const stoppedWithinMs = 20_000;

/** @throws when it ends, or is not ready in time. */
export async function runStart({ tree, dataDir, byNpm }: StartOptions): Promise<Start> {
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, PORT: "0", TITIAN_DATA_DIR: dataDir };
  const serve = ["--conditions=source", "packages/cli/src/main.mjs", "serve"];
  const [program, args] = byNpm ? ["npm", ["start"]] : [process.execPath, serve];
  const startedAt = performance.now();
  // A group of its own, so that nothing of it outlives a start that failed.
  const child = spawn(program, args, { cwd: tree, env, stdio: ["ignore", "pipe", "inherit"], detached: true });
  try {
    const times = await followUntilReady(child, startedAt);
    return { ...times, ...(byNpm ? { nodeUs: undefined, postgresUs: undefined } : cpuOf(child)) };
  } finally {
    await stop(child);
  }
}

async function followUntilReady(child: ChildProcess, startedAt: number) {
  const seen = new Map<string, number>();
  const lines = { loaded: "Starting PostgreSQL", created: "migrated ", migrated: "Filling ", ready: "Ready\n" };
  const ready = Promise.withResolvers<void>();
  let printed = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
    for (const [name, line] of Object.entries(lines)) {
      if (printed.includes(line) && !seen.has(name)) seen.set(name, performance.now() - startedAt);
    }
    if (seen.has("ready")) ready.resolve();
  });
  child.once("exit", () => ready.reject(new Error(`The sandbox ended before it was ready:\n${printed}`)));
  const limit = setTimeout(
    () => ready.reject(new Error(`The sandbox was not ready in time:\n${printed}`)),
    readyWithinMs,
  );
  await ready.promise.finally(() => clearTimeout(limit));
  return {
    loadedMs: seen.get("loaded") ?? 0,
    createdMs: seen.get("created"),
    migratedMs: seen.get("migrated"),
    readyMs: seen.get("ready") ?? 0,
  };
}

function cpuOf({ pid = 0 }: ChildProcess): Pick<Start, "nodeUs" | "postgresUs"> {
  const postmaster = childrenOf(pid).find((one) => nameOf(one) === "postgres");
  return {
    nodeUs: processCpuUs(pid),
    postgresUs: postmaster === undefined ? undefined : clusterCpuUs(postmaster),
  };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const isEnded = await Promise.race([ended.then(() => true), sleep(stoppedWithinMs, false, { ref: false })]);
  if (isEnded) return;
  process.kill(-child.pid, "SIGKILL");
  await ended;
}
