import { chownSync, closeSync, fsyncSync, openSync, renameSync, writeSync } from "node:fs";
import type { ServerAccount } from "../server/server-account.ts";

export interface OwnedFile {
  readonly path: string;
  readonly content: string;
  readonly mode: number;
  /** Owner that the file gets; us when absent. */
  readonly owner?: ServerAccount | undefined;
}

/** Writes a whole file or nothing: a crash leaves the old content or the new. */
export function writeOwnedFile({ path, content, mode, owner }: OwnedFile): void {
  const draft = `${path}.${process.pid}.new`;
  const file = openSync(draft, "w", mode);
  try {
    writeSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  if (owner !== undefined) chownSync(draft, owner.uid, owner.gid);
  renameSync(draft, path);
}
