/** Data directories of sandboxes under test, removed with the database that belongs to them. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { isAlive, readClusterRecord } from "@titian/embedded-postgres";

const prefix = "titian-e2e-";

/** A new, empty one. What earlier runs that were killed left behind is removed first. */
export function createDataDir(): string {
  for (const name of readdirSync(tmpdir())) {
    const pid = new RegExp(`^${prefix}(\\d+)-`).exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) removeDataDir(join(tmpdir(), name));
  }
  return mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`));
}

/** Removes the directory and its database, which lies elsewhere under root. Nothing may run there any more. */
export function removeDataDir(dataDir: string): void {
  const home = databaseHome(dataDir);
  if (home !== undefined) rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

/** Where the embedded database of a data directory lies; undefined before the first start. */
export function databaseHome(dataDir: string): string | undefined {
  const home = readClusterRecord(dataDir)?.home;
  return home === undefined ? undefined : resolve(dataDir, home);
}
