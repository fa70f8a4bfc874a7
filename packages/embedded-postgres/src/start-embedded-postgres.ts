/**
 * A real PostgreSQL of our own, for whoever has none: made at the first start, kept between starts, gone with this
 * process however it ends. Durable as any other; only this machine reaches it.
 */
import { randomBytes, randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { isMainThread } from "node:worker_threads";
import { clusterDirectory, openClusterHome, type ClusterHome, type ClusterPlacement } from "./cluster/cluster-home.ts";
import type { ClusterLog } from "./cluster-log.ts";
import {
  readClusterRecord,
  recordPath,
  writeClusterIdentity,
  writeClusterRecord,
  type ClusterRecord,
} from "./cluster/cluster-record.ts";
import { createCluster, databaseName, ownerName } from "./cluster/create-cluster.ts";
import { takeFromShared } from "./cluster/hand-over.ts";
import { keepRunning } from "./postmaster/keep-running.ts";
import { writeOwnedFile } from "./cluster/owned-file.ts";
import { endPreviousPostmaster } from "./postmaster/previous-postmaster.ts";
import { prepareServerBinaries, type ServerBinaries } from "./server/server-binaries.ts";
import { accessRules, renderServerSettings, type ServerSettings } from "./server/server-settings.ts";
import { signalPostmaster } from "./postmaster/signal-postmaster.ts";
import { startOnFreePort, startOnPort, type ServerPlace } from "./postmaster/start-on-port.ts";

export interface EmbeddedPostgresOptions {
  /** The service's data directory (`TITIAN_DATA_DIR`); made when missing. */
  readonly dataDir: string;
  readonly log: ClusterLog;
  /** Told what takes long: a first start is several seconds. */
  readonly onProgress?: (text: string) => void;
  /** PostgreSQL's settings that differ from ours, by name. */
  readonly settings?: ServerSettings;
  /** Told once the server's process runs, while it is not ready yet: there is time for other work. */
  readonly onStarting?: (() => void) | undefined;
  /** Default `auto`. */
  readonly placement?: ClusterPlacement;
  /** Told when the server died and could not be started again; by default only the log is. */
  readonly onFailure?: (error: Error) => void;
}

export interface EmbeddedPostgres extends AsyncDisposable {
  /** Address of the database `titian`, as its owner; stays the same when the server dies and is started again. */
  readonly url: string;
  readonly port: number;
  /** Process id of the server now. */
  readonly pid: number;
  /** Stops the server in order; further calls wait for the same stop. */
  stop(): Promise<void>;
}

const majorVersion = "18";

/** Starts the data directory's PostgreSQL, making it first if need be; throws when another process runs it. */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  if (!isMainThread)
    throw new Error("The embedded PostgreSQL would die with this worker: start it from the main thread.");
  const dataDir = openDataDir(options.dataDir);
  const home = openClusterHome(dataDir, options.placement ?? "auto");
  try {
    return await startIn(home, dataDir, options);
  } catch (error) {
    home.release();
    throw error;
  }
}

async function startIn(
  home: ClusterHome,
  dataDir: string,
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const binaries = await prepareServerBinaries({
    isForOtherAccount: home.account !== undefined,
    privateCopies: home.directory,
  });
  const cluster = clusterDirectory(home.directory);
  await endPreviousPostmaster(cluster, binaries);
  const record = home.record ?? (await makeCluster(home, dataDir, binaries, options));
  checkVersion(home.directory);
  if (home.account) takeFromShared(cluster, home.account);
  writeSettings(home, options.settings);
  const place = { binaries, home: home.directory, account: home.account };
  const first = await startOnFreePort({ ...place, onStarting: options.onStarting }, record.port);
  if (record.port !== first.port) writeClusterRecord(dataDir, { ...record, port: first.port });
  const kept = keepRunning({
    first,
    restart: () => startOnPort(place, first.port),
    log: options.log,
    onFailure: options.onFailure ?? (() => {}),
  });
  return createHandle({ place, kept, port: first.port, password: record.password, release: home.release });
}

interface HandleParts {
  readonly place: ServerPlace;
  readonly kept: ReturnType<typeof keepRunning>;
  readonly port: number;
  readonly password: string;
  readonly release: () => void;
}

function createHandle({ place, kept, port, password, release }: HandleParts): EmbeddedPostgres {
  // Where the kernel does not tie the server to this process, a sudden exit at least tells it to stop.
  const leave = () => {
    signalPostmaster(kept.pid(), "SIGINT", place.binaries);
    release();
  };
  process.once("exit", leave);
  const stop = async () => {
    await kept.stop();
    process.off("exit", leave);
    release();
  };
  let stopped: Promise<void> | undefined;
  const stopOnce = () => {
    stopped ??= stop();
    return stopped;
  };
  return {
    url: addressOf(password, port),
    port,
    get pid() {
      return kept.pid();
    },
    stop: stopOnce,
    [Symbol.asyncDispose]: stopOnce,
  };
}

/** Address of the data directory's database, as its owner, whether its server runs or not; undefined before the first start. */
export function findEmbeddedUrl(dataDir: string): string | undefined {
  const record = existsSync(dataDir) ? readClusterRecord(realpathSync(dataDir)) : undefined;
  return record?.port === undefined ? undefined : addressOf(record.password, record.port);
}

const addressOf = (password: string, port: number) =>
  `postgres://${ownerName}:${password}@127.0.0.1:${port}/${databaseName}`;

function openDataDir(given: string): string {
  const dataDir = resolve(given);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  return realpathSync(dataDir);
}

async function makeCluster(
  home: ClusterHome,
  dataDir: string,
  binaries: ServerBinaries,
  { onProgress, log }: EmbeddedPostgresOptions,
): Promise<ClusterRecord> {
  onProgress?.("Creating the database (once, a few seconds)");
  if (existsSync(recordPath(dataDir))) {
    log.warn(
      "embedded_database.record_stale",
      "The record names a database that is missing or belongs to another directory; a new one is created.",
      { path: recordPath(dataDir) },
    );
    rmSync(recordPath(dataDir));
  }
  const record = { id: randomUUID(), home: home.recordedAs, password: randomBytes(24).toString("base64url") };
  await createCluster({ binaries, home: home.directory, account: home.account, password: record.password });
  writeClusterIdentity(home.directory, { id: record.id, dataDir });
  // Last: a cluster without a record is not one yet, and a start that was cut short begins again.
  writeClusterRecord(dataDir, record);
  return record;
}

function checkVersion(home: string): void {
  const version = readFileSync(join(clusterDirectory(home), "PG_VERSION"), "utf8").trim();
  if (version === majorVersion) return;
  throw new Error(
    `The database in ${home} was made by PostgreSQL ${version}, and this is ${majorVersion}. ` +
      "Carry it over with pg_upgrade or pg_dump, or remove the data directory to start with an empty one.",
  );
}

function writeSettings({ directory, account }: ClusterHome, overrides: ServerSettings | undefined): void {
  const own = { mode: 0o640, owner: account };
  writeOwnedFile({ ...own, path: join(directory, "postgresql.conf"), content: renderServerSettings(overrides) });
  writeOwnedFile({ ...own, path: join(directory, "pg_hba.conf"), content: accessRules });
}
