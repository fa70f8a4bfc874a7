/** Opens a file that another party may have put there, or replaced. */
import { constants } from "node:fs";
import { type FileHandle, lstat, open } from "node:fs/promises";

/** A link is not followed, and a pipe that took the file's place does not wait for its writer. */
const readOnly = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const noFile = "it is no file";
const isLink = "it is a symbolic link, which is not followed";

/** Or why it is not read; undefined: it is not there, or `isWanted` says of its size that it need not be opened. */
export async function openRegular(
  path: string,
  isWanted: (size: number) => boolean | string = () => true,
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
    // Whoever wrote it may have removed it meanwhile.
    if (code === "ENOENT") return undefined;
    if (code === "ELOOP") return isLink;
    return `it cannot be read: ${error instanceof Error ? error.message : String(error)}`;
  }
}
