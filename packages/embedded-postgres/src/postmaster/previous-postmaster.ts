/**
 * A server that outlived the process that started it: on Linux for the moment it takes to shut down, elsewhere for good.
 * It is stopped, never joined by a second one.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, readlinkSync, realpathSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isAlive, isNumberTaken, nameOf } from "../process/process-identity.ts";
import { signalPostmaster } from "./signal-postmaster.ts";
import type { ServerBinaries } from "../server/server-binaries.ts";
import { waitUntil } from "../process/wait-until.ts";

/** Content of `postmaster.pid`: the first line is the process, the eighth its state. */
export interface PostmasterNote {
  readonly pid: number;
  readonly isReady: boolean;
}

export function readPostmasterNote(cluster: string): PostmasterNote | undefined {
  try {
    const lines = readFileSync(notePath(cluster), "utf8").split("\n");
    const pid = Number(lines[0]);
    return Number.isInteger(pid) && pid > 0 ? { pid, isReady: lines[7]?.trim() === "ready" } : undefined;
  } catch {
    return undefined;
  }
}

/** Stops the server that still runs on the cluster, if one does. Asks the caller to hold the home's lock. */
export async function endPreviousPostmaster(cluster: string, binaries: ServerBinaries): Promise<void> {
  const note = readPostmasterNote(cluster);
  if (note === undefined || !isNumberTaken(note.pid)) return;
  if (!isAlive(note.pid) || !isPostmasterOf(note.pid, cluster)) {
    // The number stayed with a dead process or went to another. PostgreSQL cannot tell, and would reject to start.
    rmSync(notePath(cluster), { force: true });
    return;
  }
  const isGone = () => (isAlive(note.pid) ? undefined : true);
  for (const [signal, timeoutMs] of [
    ["SIGINT", 20_000],
    ["SIGQUIT", 5_000],
  ] as const) {
    signalPostmaster(note.pid, signal, binaries);
    if ((await waitUntil(isGone, { timeoutMs, everyMs: 20 })) !== undefined) return;
  }
  throw new Error(`An earlier PostgreSQL (process ${note.pid}) still runs on ${cluster} and does not stop; end it.`);
}

function isPostmasterOf(pid: number, cluster: string): boolean {
  try {
    if (process.platform === "linux") {
      // A postmaster works in its cluster's directory.
      return nameOf(pid) === "postgres" && readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster);
    }
    if (process.platform === "win32") return true;
    return spawnSync("ps", ["-o", "command=", "-p", `${pid}`], { encoding: "utf8" }).stdout.includes(cluster);
  } catch {
    return false;
  }
}

function notePath(cluster: string): string {
  return join(cluster, "postmaster.pid");
}
