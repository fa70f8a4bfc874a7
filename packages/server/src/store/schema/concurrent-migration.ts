/**
 * Indexes of tables in use: built concurrently, so that no write waits for it. PostgreSQL does that outside a
 * transaction only, and leaves an invalid index behind where it was interrupted. It does not do it for a partitioned
 * table: there each partition's index is built for itself, and then made a part of the table's.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { connectPlain } from "../postgres/connect.ts";
import { splitStatements } from "./split-statements.ts";

/** The first line of a migration that runs outside a transaction. */
export const concurrentMark = "-- concurrent";

const permitted =
  /^(?:create (?<unique>unique )?index concurrently if not exists (?<added>\w+) on (?<table>\w+) (?<rest>.+)|drop index concurrently if exists (?<dropped>\w+))$/s;

interface Index {
  readonly name: string;
  readonly table: string;
  readonly unique: string;
  /** Columns and condition. */
  readonly rest: string;
}

type Step = { readonly text: string; readonly dropped: string } | { readonly text: string; readonly added: Index };

/**
 * Runs the statements of such a migration one by one, each of which may have been run before.
 * @throws for a statement that is neither `create [unique] index concurrently if not exists` nor
 * `drop index concurrently if exists`; none has run then.
 */
export async function runConcurrentMigration(url: string, sql: string): Promise<void> {
  const steps = splitStatements(sql).map(readStep);
  const client = await connectPlain({ connectionString: url, application_name: "titian migrate index" });
  try {
    // It waits for every transaction that began before it, and nothing waits for it.
    await client.query("set lock_timeout = 0; set statement_timeout = 0");
    for (const step of steps) {
      if ("dropped" in step) await client.query(step.text);
      else if (await isPartitioned(client, step.added.table)) await buildInPartitions(client, step.added);
      else await build(client, step.added);
    }
  } finally {
    await client.end();
  }
}

function readStep(text: string): Step {
  const { unique = "", added, table = "", rest = "", dropped } = permitted.exec(text)?.groups ?? {};
  if (dropped !== undefined) return { text, dropped };
  if (added !== undefined) return { text, added: { name: added, table, unique, rest } };
  throw new Error(`a concurrent migration only creates or drops indexes concurrently: ${text}`);
}

async function isPartitioned(client: Client, table: string): Promise<boolean> {
  return (
    (await client.query("select from pg_class where oid = to_regclass($1) and relkind = 'p'", [table])).rowCount === 1
  );
}

async function build(client: Client, { name, table, unique, rest }: Index): Promise<void> {
  const invalid = "select from pg_index where indexrelid = to_regclass($1) and not indisvalid";
  const left = await client.query(invalid, [name]);
  if (left.rowCount === 1) await client.query(`drop index concurrently if exists ${name}`);
  await client.query(`create ${unique}index concurrently if not exists ${name} on ${table} ${rest}`);
}

/** Partitions that are made from the first statement on have the index from the beginning. */
async function buildInPartitions(client: Client, index: Index): Promise<void> {
  const { name, table, unique, rest } = index;
  const begun = await client.query("select where to_regclass($1) is not null", [name]);
  if (begun.rowCount === 0) await whenUnlocked(client, `create ${unique}index ${name} on only ${table} ${rest}`);
  // Read again before each: meanwhile partitions are detached and dropped.
  for (;;) {
    const [partition] = await partitionsWithout(client, index);
    if (partition === undefined) return;
    const own = `${name}${partition.slice(table.length)}`;
    try {
      await build(client, { ...index, name: own, table: partition });
      await whenUnlocked(client, `alter index ${name} attach partition ${own}`);
    } catch (error) {
      if ((await partitionsWithout(client, index)).includes(partition)) throw error;
    }
  }
}

/** Partitions of its table that have no part of the index yet. */
async function partitionsWithout(client: Client, { name, table }: Index): Promise<readonly string[]> {
  const { rows } = await client.query<{ partition: string }>(
    `select i.inhrelid::regclass::text as partition from pg_inherits i where i.inhparent = to_regclass($1)
       and not exists (select from pg_inherits part join pg_index x on x.indexrelid = part.inhrelid
         where part.inhparent = to_regclass($2) and x.indrelid = i.inhrelid)
     order by 1`,
    [table, name],
  );
  return rows.map(({ partition }) => partition);
}

/** Time that a statement waits that others wait behind, also the pause before it is tried again. */
const waitMs = 100;

/** Runs a statement that takes milliseconds, without ever keeping writes waiting behind it for longer. */
async function whenUnlocked(client: Client, text: string): Promise<void> {
  for (;;) {
    try {
      await client.query(`set lock_timeout = ${waitMs}`);
      await client.query(text);
      return;
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "55P03")) throw error;
      await sleep(waitMs);
    } finally {
      await client.query("set lock_timeout = 0");
    }
  }
}
