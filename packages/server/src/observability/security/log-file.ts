/** The file of a security log: appended to, readable by its owner alone, opened anew where it was moved. */
import { type FileHandle, open, stat } from "node:fs/promises";
import { readLine } from "./chain.ts";

export interface LogFile {
  /** Hash of its last line, where it had one when it was opened. */
  readonly after: string | undefined;
  /** True: it ended within a line. The next write ends that. */
  readonly isCutOff: boolean;
  /** Appends what is left of the bytes; what it could not is left. @throws the system's error */
  append(bytes: Bytes): Promise<void>;
  /** True: the file of that name is another one now, or none. */
  isMoved(): Promise<boolean>;
  /** True, once: somebody else has changed its length since the last write. */
  wasAltered(): Promise<boolean>;
  close(): Promise<void>;
}

/** Bytes on their way to a file. */
export interface Bytes {
  left: Buffer;
}

const ownerOnly = 0o600;
/** Above the length of a line. */
const tailBytes = 16_384;

/** @throws the system's error, or one that says that it is no file. */
export async function openLogFile(path: string): Promise<LogFile> {
  const handle = await open(path, "a+", ownerOnly);
  try {
    return await prepare(handle, path);
  } catch (error) {
    await handle.close();
    throw error;
  }
}

async function prepare(handle: FileHandle, path: string): Promise<LogFile> {
  const found = await handle.stat();
  if (!found.isFile()) throw new Error(`${path} is no file`);
  if ((found.mode & 0o777) !== ownerOnly) await handle.chmod(ownerOnly);
  const tail = await readTail(handle, found.size);
  let { size } = found;
  return {
    after: lastHashIn(tail),
    isCutOff: tail !== "" && !tail.endsWith("\n"),
    async append(bytes) {
      while (bytes.left.length > 0) {
        const { bytesWritten } = await handle.write(bytes.left);
        size += bytesWritten;
        bytes.left = bytes.left.subarray(bytesWritten);
      }
    },
    async isMoved() {
      const now = await stat(path).catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return undefined;
        throw error;
      });
      return now?.ino !== found.ino || now.dev !== found.dev;
    },
    async wasAltered() {
      const now = await handle.stat();
      const isAltered = now.size !== size;
      size = now.size;
      return isAltered;
    },
    close: () => handle.close(),
  };
}

async function readTail(handle: FileHandle, size: number): Promise<string> {
  const length = Math.min(size, tailBytes);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, size - length);
  return buffer.toString("utf8", 0, bytesRead);
}

function lastHashIn(tail: string): string | undefined {
  const complete = tail.split("\n").slice(0, -1);
  const line = complete.at(-1);
  return line === undefined ? undefined : readLine(line)?.hash;
}
