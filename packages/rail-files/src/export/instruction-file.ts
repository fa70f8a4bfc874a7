/** The files that one lease writes: one a day, with its fencing number in the name. No other lease ever writes to them. */
import { constants } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Volume } from "../files/volume.ts";
import { nameOf } from "./read-directory.ts";

export interface InstructionFile {
  /** Resolves when the lines are durable. @throws when that is open: then nothing more may be written here. */
  append(day: string, lines: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

/** Its owner alone may write it, and nobody but us may read it. */
const makeOnly = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_APPEND;

export function openInstructionFile(volume: Volume, directory: string, fence: number): InstructionFile {
  let current: { readonly day: string; readonly path: string; readonly file: FileHandle } | undefined;
  const fileOf = async (day: string): Promise<FileHandle> => {
    // A clock that goes back begins no older file.
    if (current !== undefined && current.day >= day) return current.file;
    const path = join(directory, nameOf(day, fence));
    const file = await open(path, makeOnly, 0o600);
    await current?.file.close();
    current = { day, path, file };
    await syncDirectory(directory);
    return file;
  };
  return {
    append: async (day, lines) => {
      const file = await volume.run(() => fileOf(day));
      await volume.run(async () => {
        await file.appendFile(lines.map((line) => `${line}\n`).join(""));
        await file.datasync();
      });
    },
    close: async () => {
      // One that is being opened is closed once it is.
      await volume.end(async () => {
        if (current === undefined) return;
        const { size } = await current.file.stat();
        await current.file.close();
        // On a full disk each lease would leave one behind.
        if (size === 0) await rm(current.path, { force: true });
      });
    },
  };
}

/** An entry of a directory is durable only when the directory is. */
async function syncDirectory(path: string): Promise<void> {
  if (process.platform === "win32") return;
  await using directory = await open(path, "r");
  await directory.sync();
}
