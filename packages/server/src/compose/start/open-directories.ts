/** Directories that others than this process's user can write: they could replace what is in them. */
import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Config } from "../../config/config.ts";

export interface OpenDirectory {
  readonly setting: string;
  readonly path: string;
  /** End of a sentence about the directory. */
  readonly why: string;
  /** Command that closes it. */
  readonly cure: string;
}

type Directories = Pick<Config, "dataDir" | "databaseUrl" | "sandbox" | "files">;

const writableByOthers = 0o022;
/** In such a directory nobody replaces what is another's; that of a container's secrets is one. */
const sticky = 0o1000;

/** A data directory is used by a sandbox and by the embedded database; what does not exist yet is made for its owner. */
export function findOpenDirectories({ dataDir, databaseUrl, sandbox, files }: Directories): readonly OpenDirectory[] {
  const usesDataDir = sandbox || databaseUrl === undefined;
  const ofFiles = Object.entries(files).map(([setting, file]) => [setting, dirname(resolve(file)), sticky] as const);
  const all = [...(usesDataDir ? [["TITIAN_DATA_DIR", resolve(dataDir), 0] as const] : []), ...ofFiles];
  const seen = new Set<string>();
  return all.flatMap(([setting, path, tolerated]) => {
    const isNew = !seen.has(path);
    seen.add(path);
    const fault = isNew ? faultOf(path, tolerated) : undefined;
    return fault === undefined ? [] : [{ setting, path, ...fault }];
  });
}

function faultOf(path: string, tolerated: number): Pick<OpenDirectory, "why" | "cure"> | undefined {
  const user = process.getuid?.();
  const found = statSync(path, { throwIfNoEntry: false });
  // Windows has neither.
  if (found === undefined || user === undefined) return undefined;
  // Root can write everywhere.
  if (found.uid !== user && found.uid !== 0) {
    return {
      why: `belongs to user ${found.uid}, and this process runs as user ${user}`,
      cure: `chown ${user} ${path}`,
    };
  }
  if ((found.mode & writableByOthers) === 0 || (found.mode & tolerated) !== 0) return undefined;
  return { why: `can be written by others (mode ${(found.mode & 0o7777).toString(8)})`, cure: `chmod go-w ${path}` };
}
