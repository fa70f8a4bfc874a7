/** Opens a file that another party may have put there, or replaced. */
import { constants } from "node:fs";
import { type FileHandle, lstat, open } from "node:fs/promises";
import type { Volume } from "./volume.ts";

/** A link is not followed, and a pipe that took the file's place does not wait for its writer. */
const readOnly = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const noFile = "it is no file";
const isLink = "it is a symbolic link, which is not followed";

/** A file that is read. @throws VolumeSilent */
export interface OpenFile extends AsyncDisposable {
  read(into: Buffer, offset: number, length: number, position: number): Promise<{ readonly bytesRead: number }>;
  /** Number of its bytes. */
  size(): Promise<number>;
}

/**
 * Or why it is not read; undefined: it is not there, or `isWanted` says of its size that it need not be opened.
 * @throws VolumeSilent
 */
export async function openRegular(
  volume: Volume,
  path: string,
  isWanted: (size: number) => boolean | string = () => true,
): Promise<OpenFile | string | undefined> {
  const found = await volume.run(() => openNow(path, isWanted), closeLate);
  if (found === undefined || typeof found === "string") return found;
  return {
    read: (into, offset, length, position) => volume.run(() => found.read(into, offset, length, position)),
    size: () => volume.run(async () => (await found.stat()).size),
    [Symbol.asyncDispose]: () => volume.end(() => found.close()),
  };
}

function closeLate(found: FileHandle | string | undefined): void {
  if (typeof found === "object") found.close().catch(() => undefined);
}

async function openNow(
  path: string,
  isWanted: (size: number) => boolean | string,
): Promise<FileHandle | string | undefined> {
  try {
    const found = await lstat(path);
    if (found.isSymbolicLink()) return isLink;
    // Before it is opened: opening a socket fails, and a device may do something.
    if (!found.isFile()) return noFile;
    const wanted = isWanted(found.size);
    if (wanted !== true) return wanted === false ? undefined : wanted;
    const file = await open(path, readOnly);
    // Something else may have taken its place meanwhile.
    if ((await file.stat()).isFile()) return file;
    await file.close();
    return noFile;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    // Its writer may have removed it meanwhile.
    if (code === "ENOENT") return undefined;
    if (code === "ELOOP") return isLink;
    return `it cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}
