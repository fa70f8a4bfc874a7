/** Fitness of a database for money (docs/guides/operating.md): checked at start and at each reconnect. */
import type { Client } from "pg";

export interface DatabaseFitness {
  /** `server_version_num`, for instance 180004. */
  readonly version: number;
  /** True: commits wait for a synchronous standby. */
  readonly isSynchronous: boolean;
  /** Faults that make it unfit for money; empty when there are none. */
  readonly faults: readonly string[];
  /** Warnings: accepted, and worth knowing. */
  readonly warnings: readonly string[];
}

const oldestVersion = 150_000;

/** Settings under which a commit that was answered could still be lost. */
const durable: Readonly<Record<string, (value: string) => boolean>> = {
  fsync: (value) => value === "on",
  full_page_writes: (value) => value === "on",
  // `local` answers without the synchronous standby, where there is one.
  synchronous_commit: (value) => value !== "off" && value !== "local",
};

/** Settings that are accepted with a warning. */
const dubious: Readonly<Record<string, { readonly value: string; readonly why: string }>> = {
  synchronous_commit: {
    value: "remote_write",
    why: "a commit may be lost when primary and standby both lose power; use on",
  },
  wal_compression: {
    value: "pglz",
    why: "compressing the pages logged after each checkpoint takes several times the CPU of a transfer; use lz4, or off",
  },
};

const about = ["server_version_num", "server_encoding", "synchronous_standby_names"];

/** Looks, and changes nothing. */
export async function checkDatabase(client: Client): Promise<DatabaseFitness> {
  const names = [...Object.keys(durable), ...Object.keys(dubious), ...about];
  const result = await client.query<{ name: string; setting: string }>(
    "select name, setting from pg_settings where name = any($1)",
    [names],
  );
  const settings = new Map(result.rows.map((row) => [row.name, row.setting]));
  const standby = await client.query<{ standby: boolean }>("select pg_is_in_recovery() as standby");
  return {
    version: Number(settings.get("server_version_num")),
    isSynchronous: Boolean(settings.get("synchronous_standby_names")),
    faults: [...durabilityFaults(settings), ...kindFaults(settings, standby.rows[0]?.standby === true)],
    warnings: Object.entries(dubious).flatMap(([name, { value, why }]) =>
      settings.get(name) === value ? [`${name} is ${value}: ${why}`] : [],
    ),
  };
}

function durabilityFaults(settings: ReadonlyMap<string, string>): readonly string[] {
  return Object.entries(durable).flatMap(([name, isSafe]) => {
    const value = settings.get(name) ?? "unknown";
    return isSafe(value) ? [] : [`${name} is ${value}: an answered commit could be lost; set it to on`];
  });
}

function kindFaults(settings: ReadonlyMap<string, string>, standby: boolean): readonly string[] {
  const faults: string[] = [];
  const version = Number(settings.get("server_version_num"));
  if (!(version >= oldestVersion)) faults.push(`PostgreSQL ${version} is older than 15: upgrade it`);
  if (settings.get("server_encoding") !== "UTF8") {
    faults.push(`the database's encoding is ${settings.get("server_encoding")}: create it with UTF8`);
  }
  if (standby) faults.push("the server is a standby: connect to the primary");
  return faults;
}
