/**
 * Where the cluster of a data directory lies, held under a lock.
 * Ours to run: inside the data directory. Under root the server runs as another account, and a checkout in a closed home
 * is out of its reach: then in /var/lib/titian, under a name made of the data directory's path.
 */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  claimantOf,
  homeOf,
  readClusterIdentity,
  readClusterRecord,
  recordPath,
  writeClusterIdentity,
} from "./cluster-record.ts";
import type { ClusterRecord } from "./cluster-record.ts";
import { lockHome } from "./home-lock.ts";
import { sweepHomes } from "./sweep-homes.ts";
import { chooseServerAccount, type ServerAccount, sharedUid } from "../server/server-account.ts";

/** `dataDir` puts the cluster inside the data directory even under root: that account must be able to enter it. */
export type ClusterPlacement = "auto" | "dataDir";

export interface ClusterHome {
  /** Absolute. Holds `data` (the cluster), its settings, log, lock and identity. */
  readonly directory: string;
  /** As the record is to name it. */
  readonly recordedAs: string;
  /** The cluster's record; undefined: one is to be created. */
  readonly record: ClusterRecord | undefined;
  /** The account the server runs under; undefined: ours. */
  readonly account: ServerAccount | undefined;
  /** Gives the lock back. */
  readonly release: () => void;
}

const sharedHomes = "/var/lib/titian";
const insideName = "postgres";

/** Finds and locks the home of `dataDir` (absolute, existing); throws when another process runs it. */
export function openClusterHome(dataDir: string, placement: ClusterPlacement): ClusterHome {
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const recordedAs = readClusterRecord(dataDir)?.home ?? defaultHome(dataDir, placement);
    const directory = resolve(dataDir, recordedAs);
    makeHome(directory);
    const release = lockHome(directory);
    try {
      const record = readClusterRecord(dataDir);
      // Whoever held the lock before may have moved the cluster while we waited outside.
      if (record === undefined || homeOf(record, dataDir) === directory) {
        const own = record === undefined ? undefined : checkIdentity(dataDir, directory, record);
        return { directory, recordedAs, record: own, account: accountOf(directory), release };
      }
    } catch (error) {
      release();
      throw error;
    }
    release();
  }
  throw new Error(`${recordPath(dataDir)} keeps changing; start again when nothing else uses ${dataDir}.`);
}

function makeHome(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o711 });
  } catch (error) {
    throw new Error(
      `The embedded PostgreSQL's directory ${directory} cannot be made. ` +
        "Make it possible, run as another user, or set DATABASE_URL to a PostgreSQL of your own.",
      { cause: error },
    );
  }
}

function defaultHome(dataDir: string, placement: ClusterPlacement): string {
  if (process.getuid?.() !== 0 || placement === "dataDir") return insideName;
  sweepHomes(sharedHomes);
  const name = join(sharedHomes, createHash("sha256").update(dataDir).digest("hex").slice(0, 16));
  // A directory that was moved away took its cluster along under the old name, which this one then cannot have.
  for (let copy = 1; ; copy += 1) {
    const home = copy === 1 ? name : `${name}-${copy}`;
    const owner = claimantOf(home);
    if (owner === undefined || owner === dataDir) return home;
  }
}

/** The record if the cluster in `home` is the one it names; undefined when that is gone; throws when it is another. */
function checkIdentity(dataDir: string, home: string, record: ClusterRecord): ClusterRecord | undefined {
  const identity = readClusterIdentity(home);
  if (identity === undefined || !existsSync(clusterDirectory(home))) return undefined;
  if (identity.id !== record.id) {
    throw new Error(
      `${recordPath(dataDir)} names the database ${record.id}, but ${home} holds another, ${identity.id}. ` +
        `Restore the one that is missing, or remove ${dataDir} to start with an empty database.`,
    );
  }
  if (identity.dataDir !== dataDir) writeClusterIdentity(home, { id: record.id, dataDir });
  return record;
}

/**
 * An existing cluster keeps its owner: one made without root is still the user's when root starts it. Only one
 * that root gave to the account that services share gets one of its own.
 */
function accountOf(home: string): ServerAccount | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const owner = statSync(clusterDirectory(home), { throwIfNoEntry: false });
  const isOurs = owner === undefined || owner.uid === 0 || (owner.uid === sharedUid() && statSync(home).uid === 0);
  return isOurs ? chooseServerAccount(home) : { uid: owner.uid, gid: owner.gid };
}

/** PostgreSQL's own directory in a home. */
export function clusterDirectory(home: string): string {
  return join(home, "data");
}
