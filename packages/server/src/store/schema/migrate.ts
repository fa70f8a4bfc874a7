/**
 * Brings a database to this release's schema: numbered files, each applied once in a transaction of its own, or
 * concurrently; serialized by a lock on the table of migrations (docs/guides/operating.md).
 */
import type { Client } from "pg";
import { adoptMigrations } from "./adopt-migrations.ts";
import { type AppliedMigration, findOtherBuild, newerThan, readApplied } from "./applied-migrations.ts";
import { runConcurrentMigration } from "./concurrent-migration.ts";
import { distributeSchema } from "./distribute-schema.ts";
import { withConnection } from "../postgres/connect.ts";
import { queryRows } from "../postgres/query-rows.ts";
import { type Migration, readMigrations } from "./migration-files.ts";
import { grantRights, type RoleKind } from "./rights.ts";
import { splitStatements } from "./split-statements.ts";

export interface MigrateOptions {
  /** Role the service runs as, if it is not the owner: gets what it needs, never change or deletion of entries. */
  readonly applicationRole?: string;
  /** Role of administration, if it is not the owner: the service's rights, and those on reference data. */
  readonly administrationRole?: string;
  /** Role by which a node's console comes in for operators: a door, which has nobody's rights without a session. */
  readonly consoleRole?: string;
  /** Role of operators who come in by themselves: reads, proposes and approves. */
  readonly operatorRole?: string;
  /** Role of audits: reads, and keeps how far an audit came. */
  readonly auditRole?: string;
  /** Role of jobs: reads, detaches partitions, and makes the search again. */
  readonly jobRole?: string;
  /** Role of break-glass: opens sessions of operators while nobody can log in, and nothing else. */
  readonly emergencyRole?: string;
  /** True: the schema of the tables becomes, or is, a distributed one of Citus. */
  readonly distributes?: boolean;
  readonly onProgress?: (text: string) => void;
  /** Business time of the rows (epoch ms). */
  readonly now: number;
  /** Where the numbered files are, if not this release's own. */
  readonly folder?: URL;
}

/**
 * Applies what is missing and returns the names applied.
 * @throws when a migration fails, or the database was made by a later release or by a build with other migrations: nothing
 * is changed then.
 */
export function migrate(url: string, options: MigrateOptions): Promise<readonly string[]> {
  const work = (client: Client) => migrateOn(client, url, options);
  return withConnection({ connectionString: url, application_name: "titian migrate" }, work);
}

/** The same on a connection to this address, which waits 2 s for a lock from then on. */
export async function migrateOn(client: Client, url: string, options: MigrateOptions): Promise<readonly string[]> {
  // While an index is built, the transaction that holds the lock on the migrations idles.
  await client.query("set lock_timeout = '2s'; set idle_in_transaction_session_timeout = 0");
  await createMigrationsTable(client);
  const migrations = readMigrations(options.folder);
  const before = await readApplied(client);
  const reason = findOtherBuild(before, migrations) ?? findLaterRelease(before, migrations);
  if (reason !== undefined) throw new Error(reason);
  await adoptApplied(client, migrations, before);
  const known = new Set(before.map(({ number }) => number));
  const applied: string[] = [];
  for (const migration of migrations.filter(({ number }) => !known.has(number))) {
    if (await apply(client, url, migration, options.now)) {
      applied.push(migration.name);
      options.onProgress?.(`migrated ${migration.name}`);
    }
  }
  if (options.distributes) await distributeSchema(client);
  // Rights on views are not distributed with the tables: they are given afterwards.
  const roles: Readonly<Record<RoleKind, string | undefined>> = {
    service: options.applicationRole,
    administration: options.administrationRole,
    console: options.consoleRole,
    operator: options.operatorRole,
    audit: options.auditRole,
    jobs: options.jobRole,
    emergency: options.emergencyRole,
  };
  for (const [kind, role] of Object.entries(roles))
    if (role !== undefined) await grantRole(client, role, kind as RoleKind);
  return applied;
}

async function createMigrationsTable(client: Client): Promise<void> {
  const [[path, first, used] = []] = await queryRows(client, {
    text: "select current_setting('search_path'), quote_ident(current_schema()), (select relnamespace::regnamespace from pg_class where oid = to_regclass('migrations'))",
  });
  if (first == null) throw new Error(`the search_path ${path} names no schema that this role may use: create it first`);
  // Functions look the name up as it is written, without quotes.
  if (!/^\w/.test(first))
    throw new Error(
      `the schema ${first} has a name that needs quotes: use small letters, digits and _. Nothing was changed`,
    );
  // Migrations make tables in the first.
  if (used != null && used !== first) {
    throw new Error(
      `the tables are in the schema ${used}, and new ones would be made in ${first}: the search_path ${path} must name ${used} first. Nothing was changed`,
    );
  }
  if (used != null) return;
  try {
    await client.query(
      "create table if not exists migrations (number int primary key, name text not null, breaking boolean not null, applied_at timestamptz not null, sha256 text)",
    );
  } catch (error) {
    // Another migrator created it after our check (23505 on pg_type, or 42P07).
    if (!(error instanceof Error && "code" in error && (error.code === "23505" || error.code === "42P07"))) throw error;
  }
}

/** Its own rights and tables would not be those that nodes of the later release need. */
function findLaterRelease(applied: readonly AppliedMigration[], known: readonly Migration[]): string | undefined {
  const [later] = newerThan(known, applied);
  return (
    later &&
    `migration ${later.name} is of a later release than this: run \`titian migrate\` of the release that has it. Nothing was changed`
  );
}

/** Also where a migrator of an earlier release died before its first migration. */
async function adoptApplied(
  client: Client,
  known: readonly Migration[],
  applied: readonly AppliedMigration[],
): Promise<void> {
  if (applied.length > 0 && applied.every(({ sha256 }) => sha256 !== undefined)) return;
  await locked(client, () => adoptMigrations(client, known));
}

async function apply(client: Client, url: string, migration: Migration, now: number): Promise<boolean> {
  await client.query("begin");
  try {
    await lockMigrations(client);
    // Without a parameter, so that no portal keeps its snapshot: the build of an index would wait for it, and so for us.
    const meanwhile = await client.query(`select from migrations where number = ${migration.number}`);
    if (meanwhile.rowCount === 0) {
      if (migration.concurrent) await runConcurrentMigration(url, migration.sql);
      else for (const statement of splitStatements(migration.sql)) await client.query(statement);
      await client.query(
        "insert into migrations (number, name, breaking, applied_at, sha256) values ($1, $2, $3, $4, $5)",
        [migration.number, migration.name, migration.breaking, new Date(now), migration.sha256],
      );
    }
    await client.query("commit");
    return meanwhile.rowCount === 0;
  } catch (error) {
    await client.query("rollback");
    throw new Error(`migration ${migration.name} failed: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

/** Waits for another migrator as long as it works; lock_timeout bounds one attempt, not the wait. */
async function lockMigrations(client: Client): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    await client.query("savepoint before_lock");
    try {
      await client.query("lock table migrations in exclusive mode");
      return;
    } catch (error) {
      if (attempt === 15) throw error;
      await client.query("rollback to savepoint before_lock");
    }
  }
}

/** Gives the role its rights on our tables and takes every other. */
export async function grantRole(client: Client, role: string, kind: RoleKind): Promise<void> {
  // Two at once would change the same rows of PostgreSQL's catalogue, and one of them would fail.
  await locked(client, () => grantRights(client, role, kind));
}

/** In a transaction with the lock on the migrations. */
async function locked(client: Client, work: () => Promise<void>): Promise<void> {
  await client.query("begin");
  try {
    await lockMigrations(client);
    await work();
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}
