/**
 * One process at a time runs the cluster of a home. The lock is a file that names the process; it is left behind by a
 * process killed outright, and then taken over. Under it lies PostgreSQL's own lock: whatever happens here, two servers
 * never share a cluster.
 */
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isAlive, startOf } from "../process/process-identity.ts";

interface Holder {
  readonly pid: number;
  readonly start?: string | undefined;
  /** The home it was taken for: a home copied with its lock is not locked. */
  readonly home: string;
}

/** Takes the lock of `home` and answers how to give it back; throws, naming the holder, when it is taken. */
export function lockHome(home: string): () => void {
  const path = join(home, "lock");
  const own: Holder = { pid: process.pid, start: startOf(process.pid), home };
  for (let attempt = 0; attempt < 5; attempt += 1) {
    if (create(path, own)) {
      const release = () => {
        if (read(path)?.pid === own.pid) rmSync(path, { force: true });
      };
      return release;
    }
    const holder = read(path);
    if (holder !== undefined && isHeld(holder, home)) throw inUse(home, holder.pid);
    removeStale(path, holder);
  }
  throw new Error(`The lock ${path} changes hands too quickly; start again.`);
}

/** The file appears with its content: it is written under another name and linked, which fails when there is one. */
function create(path: string, own: Holder): boolean {
  const draft = `${path}.${own.pid}`;
  writeFileSync(draft, JSON.stringify(own), { mode: 0o644 });
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function isHeld(holder: Holder, home: string): boolean {
  if (holder.home !== home || !isAlive(holder.pid)) return false;
  const start = startOf(holder.pid);
  return start === undefined || holder.start === undefined || start === holder.start;
}

/** Moves the file away before it goes: when another took it over in between, theirs is in hand and put back. */
function removeStale(path: string, judged: Holder | undefined): void {
  const aside = `${path}.${process.pid}.stale`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  const moved = read(aside);
  if (moved !== undefined && moved.pid !== judged?.pid) linkSync(aside, path);
  rmSync(aside, { force: true });
}

function read(path: string): Holder | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (typeof value !== "object" || value === null) return undefined;
    if (!("pid" in value) || typeof value.pid !== "number") return undefined;
    if (!("home" in value) || typeof value.home !== "string") return undefined;
    const start = "start" in value && typeof value.start === "string" ? value.start : undefined;
    return { pid: value.pid, start, home: value.home };
  } catch {
    return undefined;
  }
}

function inUse(home: string, pid: number): Error {
  return new Error(
    `The embedded PostgreSQL in ${home} is run by process ${pid} already. ` +
      `Stop that process, or set TITIAN_DATA_DIR to another directory. (If ${pid} is something else, delete ${join(home, "lock")}.)`,
  );
}
