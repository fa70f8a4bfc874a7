/**
 * Makes PostgreSQL's programs ready to run. npm cannot carry links, so the package lists them and we make them, in place
 * where we may. Under root another account runs the programs, and node_modules may lie in a home closed to it: then they
 * are copied once, into a directory of root's that everyone may read.
 */
import { accessSync, chmodSync, constants, existsSync, readFileSync, readdirSync } from "node:fs";
import { lstatSync, mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { cp } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { findPlatformPackage, type PlatformPackage } from "./platform-package.ts";

export interface ServerBinaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly pgCtl: string;
}

export interface BinariesPlace {
  /** True: another account is to run them. */
  readonly isForOtherAccount: boolean;
  /** Where a copy goes that only we need: into our own data directory. */
  readonly privateCopies: string;
}

const sharedCopies = "/var/cache/titian";

export async function prepareServerBinaries(place: BinariesPlace): Promise<ServerBinaries> {
  const source = findPlatformPackage();
  if (place.isForOtherAccount) return programsIn(await copyOnce(source, sharedCopies));
  const native = join(source.directory, "native");
  const links = missingLinks(source, native);
  if (links.length === 0) return programsIn(native);
  if (isWritable(join(native, "lib"))) {
    makeLinks(links);
    return programsIn(native);
  }
  return programsIn(await copyOnce(source, place.privateCopies));
}

function programsIn(native: string): ServerBinaries {
  const suffix = process.platform === "win32" ? ".exe" : "";
  const program = (name: string) => join(native, "bin", `${name}${suffix}`);
  return { initdb: program("initdb"), postgres: program("postgres"), pgCtl: program("pg_ctl") };
}

/** Copies into a directory of another name and renames it when it is whole: a copy under its own name is complete. */
async function copyOnce(source: PlatformPackage, parent: string): Promise<string> {
  const target = join(parent, source.copyName);
  if (existsSync(target)) return target;
  mkdirSync(parent, { recursive: true, mode: 0o755 });
  const draft = join(parent, `.${source.copyName}.${process.pid}`);
  rmSync(draft, { recursive: true, force: true });
  await cp(join(source.directory, "native"), draft, { recursive: true, verbatimSymlinks: true });
  makeLinks(missingLinks(source, draft));
  openToReaders(draft);
  try {
    renameSync(draft, target);
  } catch (error) {
    // Another process was faster, and its copy is as good.
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
  }
  return target;
}

interface Link {
  readonly path: string;
  /** Name of the file beside it that it stands for. */
  readonly to: string;
}

function missingLinks(source: PlatformPackage, native: string): Link[] {
  const list = join(source.directory, "native", "pg-symlinks.json");
  if (!existsSync(list)) return [];
  const entries: unknown = JSON.parse(readFileSync(list, "utf8"));
  if (!Array.isArray(entries)) throw new Error(`${list} is not a list of links; run \`npm ci\` again.`);
  return entries
    .map((entry: { source: string; target: string }) => ({
      path: join(native, entry.target.replace(/^native\//, "")),
      to: basename(entry.source),
    }))
    .filter((link) => lstatSync(link.path, { throwIfNoEntry: false }) === undefined);
}

function makeLinks(links: readonly Link[]): void {
  for (const link of links) {
    try {
      symlinkSync(link.to, link.path);
    } catch (error) {
      // Two processes may start at once on one tree.
      if (!existsSync(link.path)) throw error;
    }
  }
}

function isWritable(directory: string): boolean {
  try {
    accessSync(directory, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whatever the umask was: everyone may read the copy, and run what could be run. */
function openToReaders(directory: string): void {
  chmodSync(directory, 0o755);
  for (const entry of readdirSync(directory, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) chmodSync(path, 0o755);
    else if (entry.isFile()) chmodSync(path, basename(dirname(path)) === "bin" ? 0o755 : 0o644);
  }
}
