/** Files only their owner may read, complete or not there at all. */
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { newCorrelationId } from "@titian/server/admin";

/** Replaces the file in one step. */
export function replacePrivateFile(path: string, content: string): void {
  renameSync(writeBeside(path, content), path);
}

/** Makes the file unless it is there; false when it was there already, whoever made it. */
export function createPrivateFile(path: string, content: string): boolean {
  const made = writeBeside(path, content);
  try {
    linkSync(made, path);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(made);
  }
}

/** The file's text, or undefined when there is none. */
export function readFileIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

function writeBeside(path: string, content: string): string {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const beside = `${path}.${process.pid}.${newCorrelationId()}`;
  writeFileSync(beside, content, { mode: 0o600, flag: "wx", flush: true });
  return beside;
}
