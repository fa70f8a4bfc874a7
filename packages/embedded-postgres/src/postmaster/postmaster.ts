/** One run of the server on a cluster: started, ready, stopped. */
import type { ChildProcess } from "node:child_process";
import { closeSync, fchownSync, fstatSync, openSync, readSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { clusterDirectory } from "../cluster/cluster-home.ts";
import { readPostmasterNote } from "./previous-postmaster.ts";
import type { ServerAccount } from "../server/server-account.ts";
import type { ServerBinaries } from "../server/server-binaries.ts";
import { spawnServerCommand } from "../server/server-command.ts";
import { signalPostmaster, type PostmasterSignal } from "./signal-postmaster.ts";
import { waitUntil } from "../process/wait-until.ts";

export interface PostmasterOptions {
  readonly binaries: ServerBinaries;
  readonly home: string;
  readonly account: ServerAccount | undefined;
  readonly port: number;
  /** Its process runs, and is not ready yet. */
  readonly onStarting?: (() => void) | undefined;
}

export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  /** Settles when the process has ended, however it ended. */
  readonly ended: Promise<void>;
  /** Stops the server, gently for 10 s, then hard; safe to call when it has ended. */
  stop(): Promise<void>;
}

/** A start that failed, and whether another port or a little patience may help. */
export interface FailedStart {
  readonly failed: "portTaken" | "stillInUse" | "other";
  readonly message: string;
}

/** Crash recovery replays at most one checkpoint's distance of log; slow disks and busy machines included. */
const readyWithinMs = 120_000;
const keepLogBytes = 16 * 1024 * 1024;

export async function startPostmaster(options: PostmasterOptions): Promise<Postmaster | FailedStart> {
  const { binaries, home, account, port } = options;
  const cluster = clusterDirectory(home);
  const log = openLog(join(home, "postgres.log"), account);
  const logStart = fstatSync(log).size;
  const child = spawnServerCommand({
    program: binaries.postgres,
    args: [
      "-D",
      cluster,
      "-p",
      `${port}`,
      "-c",
      `config_file=${join(home, "postgresql.conf")}`,
      "-c",
      `hba_file=${join(home, "pg_hba.conf")}`,
    ],
    account,
    cwd: home,
    stdio: ["ignore", log, log],
  });
  const run = follow(child);
  options.onStarting?.();
  try {
    const isSettled = () => run.hasEnded() || isReady(cluster, child) || undefined;
    await waitUntil(isSettled, { timeoutMs: readyWithinMs, everyMs: 5 });
    if (!run.hasEnded() && child.pid !== undefined && isReady(cluster, child)) {
      return createPostmaster({ pid: child.pid, port, binaries, run });
    }
    child.kill("SIGQUIT");
    await waitUntil(() => run.hasEnded() || undefined, { timeoutMs: 5_000, everyMs: 5 });
    return explain(readFrom(log, logStart) || run.error());
  } finally {
    closeSync(log);
  }
}

function isReady(cluster: string, child: ChildProcess): boolean {
  const note = readPostmasterNote(cluster);
  return note !== undefined && note.isReady && note.pid === child.pid;
}

interface Run {
  readonly ended: Promise<void>;
  hasEnded(): boolean;
  error(): string;
}

function follow(child: ChildProcess): Run {
  let hasEnded = false;
  let error = "";
  const ended = new Promise<void>((resolve) => {
    const end = () => {
      hasEnded = true;
      resolve();
    };
    child.once("exit", end);
    child.once("error", (cause) => {
      error = cause.message;
      end();
    });
  });
  // The server serves this process: it is no reason for it to stay.
  child.unref();
  return { ended, hasEnded: () => hasEnded, error: () => error };
}

interface Started {
  readonly pid: number;
  readonly port: number;
  readonly binaries: ServerBinaries;
  readonly run: Run;
}

function createPostmaster({ pid, port, binaries, run }: Started): Postmaster {
  const endWith = async (signal: PostmasterSignal, timeoutMs: number) => {
    if (run.hasEnded()) return;
    signalPostmaster(pid, signal, binaries);
    await waitUntil(() => run.hasEnded() || undefined, { timeoutMs, everyMs: 5 });
  };
  const stop = async () => {
    await endWith("SIGINT", 10_000);
    await endWith("SIGQUIT", 3_000);
    await endWith("SIGKILL", 2_000);
  };
  let stopped: Promise<void> | undefined;
  return {
    pid,
    port,
    ended: run.ended,
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}

/** The server writes straight to a file: through a pipe, a service that is stopped or busy would hold it up. */
function openLog(path: string, account: ServerAccount | undefined): number {
  const before = statSync(path, { throwIfNoEntry: false });
  if (before !== undefined && before.size > keepLogBytes) renameSync(path, `${path}.old`);
  const log = openSync(path, "a+", 0o640);
  if (account !== undefined) fchownSync(log, account.uid, account.gid);
  return log;
}

function readFrom(file: number, start: number): string {
  const buffer = Buffer.alloc(Math.min(fstatSync(file).size - start, 8_192));
  readSync(file, buffer, 0, buffer.length, start);
  return buffer.toString("utf8").trim();
}

function explain(log: string): FailedStart {
  if (/could not bind|could not create any TCP\/IP sockets/.test(log)) return { failed: "portTaken", message: log };
  if (/pre-existing shared memory block|lock file "postmaster.pid" already exists/.test(log)) {
    return { failed: "stillInUse", message: log };
  }
  return { failed: "other", message: log || "no message in its log" };
}
