/** Writing so that a crash, or the power going out, leaves the old content or the new. */
import { constants } from "node:fs";
import { type FileHandle, open, rename } from "node:fs/promises";
import { dirname } from "node:path";

/** Replaces a whole file in one step, durably. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const draft = `${path}.new`;
  await using file = await open(draft, "w", 0o600);
  await file.writeFile(text);
  await file.sync();
  await rename(draft, path);
  await syncDirectory(dirname(path));
}

/** Opens a file to read it and to append to it; made durably if it is not there. */
export async function openToAppend(path: string): Promise<FileHandle> {
  const file = await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_APPEND, 0o600);
  await syncDirectory(dirname(path));
  return file;
}

/** What a directory names is durable only when the directory is. */
async function syncDirectory(path: string): Promise<void> {
  if (process.platform === "win32") return;
  await using directory = await open(path, "r");
  await directory.sync();
}
