/**
 * A fresh sandbox in its own process, with a temporary data directory: for the demo, the
 * examples, the checks of packages, and tests.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { isAbsolute, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { readClusterRecord } from "@titian/embedded-postgres";

export interface FreshSandbox extends AsyncDisposable {
  readonly dataDir: string;
  /** Its `sandbox.json`. */
  readonly file: string;
  readonly pid: number;
  readonly process: ChildProcess;
  /** Stops the process, removes the directory, returns the exit code. Idempotent. */
  stop(): Promise<number | null>;
}

export interface FreshSandboxOptions {
  /** Progress of the start, which takes seconds. */
  readonly onProgress?: (text: string) => void;
  /** Settings of the service, over those of a fresh sandbox. */
  readonly env?: Readonly<Record<string, string>>;
  /** The `titian` command's module; by default the repository's. */
  readonly main?: string;
}

const ownMain = fileURLToPath(new URL("../../packages/server/src/cli/main.ts", import.meta.url));
const startWithinMs = 120_000;
/** The service ends itself within 20 s. */
const stopWithinMs = 25_000;

/** Resolves when it is ready. @throws with the output of the service when it does not start. */
export async function startFreshSandbox({
  onProgress,
  env,
  main = ownMain,
}: FreshSandboxOptions = {}): Promise<FreshSandbox> {
  const dataDir = mkdtempSync(join(tmpdir(), "titian-fresh-"));
  const child = spawn(process.execPath, [...(main === ownMain ? ["--conditions=source"] : []), main, "serve"], {
    env: { ...foreignEnvironment(), PORT: "0", TITIAN_DATA_DIR: dataDir, TITIAN_LOG_LEVEL: "warn", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const sandbox = manage(child, dataDir);
  try {
    await waitUntilReady(child, onProgress ?? (() => undefined));
  } catch (error) {
    await sandbox.stop();
    throw error;
  }
  return sandbox;
}

/** Our environment without what would make the sandbox another one. */
function foreignEnvironment(): Readonly<Record<string, string | undefined>> {
  const isOurs = (name: string) => /^(TITIAN_.*|DATABASE_URL|PORT|HOST)$/.test(name);
  const kept = Object.entries(process.env).filter(([name]) => !isOurs(name));
  // As under npm, the service stops when its parent is killed.
  return { ...Object.fromEntries(kept), npm_lifecycle_event: "titian" };
}

function manage(child: ChildProcess, dataDir: string): FreshSandbox {
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const end = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill("SIGTERM");
    const killer = setTimeout(() => child.kill("SIGKILL"), stopWithinMs);
    const exitCode = await ended;
    clearTimeout(killer);
    for (const signal of signals) process.off(signal, leave);
    removeDataDir(dataDir);
    return exitCode;
  };
  let stopped: Promise<number | null> | undefined;
  const stop = () => {
    stopped ??= end();
    return stopped;
  };
  const leave = () => void stop().finally(() => process.exit(130));
  for (const signal of signals) process.on(signal, leave);
  return {
    dataDir,
    file: join(dataDir, "sandbox.json"),
    pid: child.pid ?? 0,
    process: child,
    stop,
    [Symbol.asyncDispose]: async () => void (await stop()),
  };
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Under root the cluster lies elsewhere, where only its record leads to. */
function removeDataDir(dataDir: string): void {
  const home = readClusterRecord(dataDir)?.home;
  if (home !== undefined && isAbsolute(home)) rmSync(home, { recursive: true, force: true });
  rmSync(dataDir, { recursive: true, force: true });
}

async function waitUntilReady(child: ChildProcess, onProgress: (text: string) => void): Promise<void> {
  if (child.stdout === null || child.stderr === null) throw new Error("The service's output cannot be read.");
  let complaints = "";
  child.stderr.on("data", (text: Buffer) => {
    complaints = `${complaints}${text.toString()}`.slice(-4_000);
  });
  const { promise: ready, resolve } = Promise.withResolvers<void>();
  let isReady = false;
  createInterface({ input: child.stdout }).on("line", (line) => {
    if (line.startsWith("Titian is ready")) {
      isReady = true;
      resolve();
    } else if (!isReady && line !== "") onProgress(line);
  });
  const failed = once(child, "exit").then(() => Promise.reject(new Error(`The sandbox did not start:\n${complaints}`)));
  const { promise: overdue, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Error(`The sandbox was not ready within ${startWithinMs / 1_000} s.`)),
    startWithinMs,
  );
  // Later it ends as it should.
  failed.catch(() => undefined);
  try {
    await Promise.race([ready, failed, overdue]);
  } finally {
    clearTimeout(timer);
  }
}
