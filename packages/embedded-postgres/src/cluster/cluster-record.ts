/**
 * The two notes that tie a data directory to its cluster when the cluster lies elsewhere: `postgres.json` in the data
 * directory names the cluster and holds its password; `identity.json` beside the cluster names the data directory.
 * Both carry the cluster's id, and a cluster is used only when they agree.
 */
import { existsSync, readFileSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { writeOwnedFile } from "./owned-file.ts";

export interface ClusterRecord {
  readonly id: string;
  /** Where the cluster's home lies; relative to the data directory when inside it, so that both can be moved. */
  readonly home: string;
  readonly password: string;
  /** The port of the last start: taken again when free, so that whoever was connected finds its way back. */
  readonly port?: number | undefined;
}

interface ClusterIdentity {
  readonly id: string;
  readonly dataDir: string;
}

/** The record of a data directory; undefined when there is none, or when it was copied with another data directory. */
export function readClusterRecord(dataDir: string): ClusterRecord | undefined {
  const record = readRecordFile(dataDir);
  if (record === undefined || !isAbsolute(record.home)) return record;
  if (readClusterIdentity(record.home)?.id !== record.id) return record;
  // The cluster may say it belongs to another directory. If that one still claims it, this is a copy; else it was moved.
  const claimant = claimantOf(record.home);
  return claimant === undefined || claimant === dataDir ? record : undefined;
}

/** The data directory that the cluster in `home` names and that names the cluster in turn; undefined: there is none. */
export function claimantOf(home: string): string | undefined {
  const identity = readClusterIdentity(home);
  if (identity === undefined || readRecordFile(identity.dataDir)?.id !== identity.id) return undefined;
  return identity.dataDir;
}

export function writeClusterRecord(dataDir: string, record: ClusterRecord): void {
  writeOwnedFile({ path: recordPath(dataDir), content: `${JSON.stringify(record, null, 2)}\n`, mode: 0o600 });
}

export function recordPath(dataDir: string): string {
  return join(dataDir, "postgres.json");
}

export function readClusterIdentity(home: string): ClusterIdentity | undefined {
  const fields = readJson(identityPath(home));
  if (typeof fields?.id !== "string" || typeof fields.dataDir !== "string") return undefined;
  return { id: fields.id, dataDir: fields.dataDir };
}

export function writeClusterIdentity(home: string, identity: ClusterIdentity): void {
  writeOwnedFile({ path: identityPath(home), content: `${JSON.stringify(identity, null, 2)}\n`, mode: 0o644 });
}

/** The home that a record names, as an absolute path. */
export function homeOf(record: ClusterRecord, dataDir: string): string {
  return resolve(dataDir, record.home);
}

function readRecordFile(dataDir: string): ClusterRecord | undefined {
  const fields = readJson(recordPath(dataDir));
  if (fields === undefined) return undefined;
  const { id, home, password, port } = fields;
  if (typeof id !== "string" || typeof home !== "string" || typeof password !== "string") {
    throw new Error(
      `${recordPath(dataDir)} is damaged. Restore it, or remove ${dataDir} to start with an empty database.`,
    );
  }
  return { id, home, password, port: typeof port === "number" ? port : undefined };
}

function readJson(path: string): Readonly<Record<string, unknown>> | undefined {
  if (!existsSync(path)) return undefined;
  try {
    const fields: unknown = JSON.parse(readFileSync(path, "utf8"));
    return typeof fields === "object" && fields !== null ? { ...fields } : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw new Error(
      `${path} cannot be read: run as the user who started Titian here before, or remove the directory.`,
      {
        cause: error,
      },
    );
  }
}

function identityPath(home: string): string {
  return join(home, "identity.json");
}
