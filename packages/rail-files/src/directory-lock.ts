/**
 * One process at a time works in a directory. Each that takes it over writes the next of a row of lock files, which only
 * one can create; the highest counts, and names its process. Nobody ever changes or removes another's: of two that find
 * the same dead holder, one gets the next number.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { readIfThere } from "./files/read-if-there.ts";

/** Tells a process from a later one with the same number. */
export interface Processes {
  isAlive(pid: number): boolean;
  /** A text that only this run of the process has; undefined where the system does not tell. */
  startOf(pid: number): string | undefined;
}

export interface DirectoryLock {
  /** Whether the directory is still ours: an operator may have given it to another process. */
  isHeld(): boolean;
  release(): void;
}

interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly start?: string | undefined;
  readonly isReleased?: boolean;
}

/** Older files are kept so long, for whoever looked before they were passed. */
const keptFiles = 8;
const triesMax = 20;

/** @throws when another process works there, naming it. */
export function lockDirectory(directory: string, processes: Processes): DirectoryLock {
  const own: Holder = { pid: process.pid, host: hostname(), start: processes.startOf(process.pid) };
  const pathOf = (number: number) => join(directory, `lock-${number}`);
  for (let tries = 0; tries < triesMax; tries += 1) {
    const last = highest(directory);
    if (last > 0) rejectIfHeld(pathOf(last), processes);
    const path = pathOf(last + 1);
    if (!create(path, own)) continue;
    if (highest(directory) !== last + 1) {
      // Meanwhile others came and went: this number was passed long ago.
      rmSync(path, { force: true });
      continue;
    }
    for (let old = last + 1 - keptFiles; old > 0 && existsSync(pathOf(old)); old -= 1)
      rmSync(pathOf(old), { force: true });
    return lockOf(path, pathOf(last + 2), own);
  }
  throw new Error(`The locks in ${directory} change hands too quickly; start again.`);
}

function lockOf(path: string, next: string, own: Holder): DirectoryLock {
  const text = JSON.stringify(own);
  const isHeld = () => readIfThere(path) === text && !existsSync(next);
  return {
    isHeld,
    release: () => {
      if (!isHeld()) return;
      const draft = `${path}.released`;
      write(draft, JSON.stringify({ ...own, isReleased: true } satisfies Holder));
      renameSync(draft, path);
    },
  };
}

function highest(directory: string): number {
  const numbers = readdirSync(directory).map((name) => Number(/^lock-(\d+)$/.exec(name)?.[1] ?? 0));
  return Math.max(0, ...numbers);
}

function rejectIfHeld(path: string, processes: Processes): void {
  const text = readIfThere(path);
  if (text === undefined) return;
  const holder = readHolder(text);
  if (holder === undefined)
    throw new Error(`${path} cannot be read. Delete it when no process works in its directory.`);
  if (holder.isReleased === true) return;
  if (holder.host !== hostname()) {
    throw new Error(
      `${path} is held by process ${holder.pid} on the machine ${holder.host}. Stop it there; if that machine is gone for good, delete the file.`,
    );
  }
  if (!processes.isAlive(holder.pid)) return;
  const start = processes.startOf(holder.pid);
  if (start !== undefined && holder.start !== undefined && start !== holder.start) return;
  throw new Error(
    `${path} is held by process ${holder.pid}: one process at a time works in its directory. Stop that one.`,
  );
}

/** The file appears with its content: it is written under another name and linked, which fails when there is one. */
function create(path: string, own: Holder): boolean {
  const draft = `${path}.${own.pid}`;
  write(draft, JSON.stringify(own));
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

function write(path: string, text: string): void {
  const file = openSync(path, "w", 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function readHolder(text: string): Holder | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null) return undefined;
    if (!("pid" in value) || typeof value.pid !== "number") return undefined;
    if (!("host" in value) || typeof value.host !== "string") return undefined;
    const start = "start" in value && typeof value.start === "string" ? value.start : undefined;
    return { pid: value.pid, host: value.host, start, isReleased: "isReleased" in value && value.isReleased === true };
  } catch {
    return undefined;
  }
}
