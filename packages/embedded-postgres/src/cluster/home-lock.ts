/**
 * One process at a time runs the cluster of a home. The lock is the system's own, held on a file that SQLite keeps open: it
 * ends with the process, however that ends, and holds against a process in another container, where numbers of processes
 * say nothing. Under it lies PostgreSQL's own lock. A note beside it names the holder, for whoever is turned away.
 */
import { closeSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

interface Holder {
  readonly pid: number;
  readonly host: string;
}

/** SQLite's code for a lock that another connection holds. */
const busy = 5;

/** Locks that are held: one whose object is collected would be given back. */
const held = new Set<DatabaseSync>();

/** Takes the lock of `home` and answers how to give it back; throws, naming the holder, when it is taken. */
export function lockHome(home: string): () => void {
  const path = join(home, "lock.db");
  const note = join(home, "holder.json");
  let lock: DatabaseSync | undefined;
  try {
    lock = openLock(path);
    // No file of its own beside the lock: a full disk has no room for one.
    lock.exec("pragma journal_mode = memory; begin exclusive");
    writeFileSync(note, JSON.stringify({ pid: process.pid, host: hostname() } satisfies Holder));
  } catch (error) {
    lock?.close();
    if (error instanceof Error && "errcode" in error && error.errcode === busy) throw inUse(home, readHolder(note));
    // SQLite names no file.
    throw new Error(`The lock ${path} cannot be taken.`, { cause: error });
  }
  held.add(lock);
  return () => {
    if (!held.delete(lock)) return;
    rmSync(note, { force: true });
    lock.close();
  };
}

/** For its owner alone: whoever may read a file can lock it. */
function openLock(path: string): DatabaseSync {
  // Never opened otherwise: the system gives back a process's locks on a file with the first of its handles that closes.
  if (!existsSync(path)) createFile(path);
  return new DatabaseSync(path, { timeout: 0 });
}

function createFile(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (error) {
    const isThere = error instanceof Error && "code" in error && error.code === "EEXIST";
    if (!isThere) throw error;
  }
}

/** Undefined where the holder has not written it yet. */
function readHolder(note: string): Holder | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(note, "utf8"));
    if (typeof value !== "object" || value === null) return undefined;
    if (!("pid" in value) || typeof value.pid !== "number") return undefined;
    if (!("host" in value) || typeof value.host !== "string") return undefined;
    return { pid: value.pid, host: value.host };
  } catch {
    return undefined;
  }
}

function inUse(home: string, holder: Holder | undefined): Error {
  const place = holder === undefined || holder.host === hostname() ? "" : ` of the host or container ${holder.host}`;
  return new Error(
    `The embedded PostgreSQL in ${home} is run by process ${holder?.pid ?? "unknown"}${place} already. ` +
      "Stop that process, or set TITIAN_DATA_DIR to another directory.",
  );
}
