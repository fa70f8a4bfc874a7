/** The one PostgreSQL cluster that everything in a run shares, TPC-B included. */
import { Client } from "pg";
import { nameOf, parentOf } from "../cpu.ts";
import { query } from "./databases.ts";

export interface Cluster {
  /** Address of a database that stays empty, as a superuser. */
  readonly url: string;
  readonly version: string;
  /** Flags that its programs were compiled with: `-Os` is for size, `-O2` for speed. */
  readonly compilerFlags: string;
  /** Undefined where the system does not tell whose child a backend is. */
  readonly postmaster: number | undefined;
  /** Settings that bear on the figures, by name. */
  readonly settings: Readonly<Record<string, string>>;
  /** Bytes written to its log since it was made. */
  walBytes(): Promise<number>;
  /** Makes a checkpoint: after it, each page that is changed is logged whole once. */
  checkpoint(): Promise<void>;
  stop(): Promise<void>;
}

const telling = [
  "fsync",
  "synchronous_commit",
  "full_page_writes",
  "shared_buffers",
  "max_wal_size",
  "checkpoint_timeout",
  "wal_compression",
  "wal_sync_method",
];

const walStatement = "select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as bytes";

/** Describes a running cluster; `stop` is what ends it. */
export async function describeCluster(url: string, stop: () => Promise<void>): Promise<Cluster> {
  const names = telling.map((name) => `'${name}'`).join(", ");
  const rows = await query(
    url,
    `select name, current_setting(name) as value from pg_settings where name in (${names})`,
  );
  const [about] = await query(
    url,
    "select current_setting('server_version') as version, (select setting from pg_config where name = 'CFLAGS') as flags",
  );
  const client = new Client({ connectionString: url, application_name: "bench" });
  // A cluster that goes away fails the next query.
  client.on("error", () => undefined);
  await client.connect();
  return {
    url,
    version: String(about?.["version"]),
    compilerFlags: String(about?.["flags"]),
    postmaster: await findPostmaster(url),
    settings: Object.fromEntries(rows.map((row) => [String(row["name"]), String(row["value"])])),
    walBytes: async () => Number((await client.query<{ bytes: string }>(walStatement)).rows[0]?.bytes),
    checkpoint: async () => void (await client.query("checkpoint")),
    stop: async () => {
      await client.end();
      await stop();
    },
  };
}

/** The parent of a backend, looked up while the backend lives. */
async function findPostmaster(url: string): Promise<number | undefined> {
  const client = new Client({ connectionString: url, application_name: "bench" });
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
    const pid = rows[0]?.pid;
    // A cluster on another machine has process ids too, but no such process here.
    if (pid === undefined || nameOf(pid) !== "postgres") return undefined;
    return parentOf(pid);
  } finally {
    await client.end();
  }
}
