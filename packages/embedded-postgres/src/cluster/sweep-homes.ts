/**
 * Removes clusters that nobody can ever use again: of data directories that lay among the system's temporary files and
 * are gone. Others are left alone: a directory that is missing today may be on a disk that is mounted tomorrow.
 */
import { existsSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { readClusterIdentity } from "./cluster-record.ts";
import { lockHome } from "./home-lock.ts";

/** `homes` is the directory that holds one home for each data directory. */
export function sweepHomes(homes: string): void {
  for (const name of existsSync(homes) ? readdirSync(homes) : []) {
    const home = join(homes, name);
    const dataDir = readClusterIdentity(home)?.dataDir;
    if (dataDir === undefined || !dataDir.startsWith(tmpdir() + sep) || existsSync(dataDir)) continue;
    removeUnused(home);
  }
}

function removeUnused(home: string): void {
  try {
    // Held by whoever still runs it, though its data directory was removed.
    const release = lockHome(home);
    rmSync(home, { recursive: true, force: true });
    release();
  } catch {
    // In use, or not ours to remove: it costs room and nothing else.
  }
}
