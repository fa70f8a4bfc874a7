/** Processes that belong to a sandbox: what is left of it when it should be gone. Linux only. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { isAlive, waitUntil } from "@titian/embedded-postgres";
import { databaseHome } from "./data-dir.ts";

export interface FoundProcess {
  readonly pid: number;
  readonly command: string;
}

/** Every living process that was started for the data directory, by its environment, or that works in its database. */
export function findProcesses(dataDir: string): readonly FoundProcess[] {
  const setting = `TITIAN_DATA_DIR=${dataDir}`;
  const home = databaseHome(dataDir);
  const found: FoundProcess[] = [];
  for (const name of readdirSync("/proc")) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid || !isAlive(pid)) continue;
    const command = readProc(pid, "cmdline").join(" ").trim();
    const isOurs = readProc(pid, "environ").includes(setting) || (home !== undefined && worksIn(pid, home));
    if (isOurs) found.push({ pid, command });
  }
  return found;
}

/** Waits until none is left; answers those that stay for longer than the given time. */
export async function findStrays(dataDir: string, withinMs: number): Promise<readonly FoundProcess[]> {
  const isGone = () => findProcesses(dataDir).length === 0 || undefined;
  return (await waitUntil(isGone, { timeoutMs: withinMs, everyMs: 50 })) === true ? [] : findProcesses(dataDir);
}

/** For the end of a test, whatever went wrong in it: nothing that it started may stay. */
export async function endProcesses(dataDir: string, graceMs: number): Promise<void> {
  if (process.platform !== "linux") return;
  for (const { pid } of await findStrays(dataDir, graceMs)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It ended meanwhile.
    }
  }
  await findStrays(dataDir, graceMs);
}

function readProc(pid: number, file: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8").split("\0");
  } catch {
    return [];
  }
}

/** PostgreSQL's processes all work in the cluster's directory, whatever they call themselves. */
function worksIn(pid: number, home: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`).startsWith(home);
  } catch {
    return false;
  }
}
