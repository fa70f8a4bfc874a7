/** Processes by their numbers, which are given again: in a container after every restart. */
import { readFileSync } from "node:fs";

/**
 * True when the process runs. One that ended but was never collected by its parent (a container without init) does not.
 */
export function isAlive(pid: number): boolean {
  if (!isNumberTaken(pid)) return false;
  if (process.platform !== "linux") return true;
  try {
    return statFields(pid)[0] !== "Z";
  } catch {
    return isNumberTaken(pid);
  }
}

/** True when the system has any process of that number, ended ones included. */
export function isNumberTaken(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** The parent of a process; undefined where the system does not tell or the process is gone. */
export function parentOf(pid: number): number | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    return Number(statFields(pid)[1]);
  } catch {
    return undefined;
  }
}

/** The name of a process's program; undefined where the system does not tell or the process is gone. */
export function nameOf(pid: number): string | undefined {
  if (process.platform !== "linux") return undefined;
  try {
    return readFileSync(`/proc/${pid}/comm`, "utf8").trim();
  } catch {
    return undefined;
  }
}

/** The fields of /proc/<pid>/stat from the third on: the second, the name in brackets, may hold spaces and brackets. */
function statFields(pid: number): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  return text.slice(text.lastIndexOf(")") + 2).split(" ");
}
