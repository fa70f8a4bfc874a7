/**
 * Brings a database to this release's schema: numbered files, each applied once in a transaction of its own, or
 * concurrently; serialized by a lock on the table of migrations (docs/operating.md).
 */
import { readdirSync, readFileSync } from "node:fs";
import type { Client } from "pg";
import { concurrentMark, runConcurrentMigration } from "./concurrent-migration.ts";
import { connectPlain } from "./connect.ts";
import { grantRights, type RoleKind } from "./rights.ts";

/** This release's migrations. */
export const migrationsFolder = new URL("../migrations/", import.meta.url);

interface Migration {
  readonly number: number;
  readonly name: string;
  readonly breaking: boolean;
  readonly concurrent: boolean;
  readonly sql: string;
}

export interface MigrateOptions {
  /** Role the service runs as, if it is not the owner: gets what it needs, never change or deletion of entries. */
  readonly applicationRole?: string;
  /** Role of administration, if it is not the owner: the service's rights, and those on reference data. */
  readonly administrationRole?: string;
  readonly onProgress?: (text: string) => void;
  /** Business time of the rows (epoch ms). */
  readonly now: number;
  /** Where the numbered files are, if not this release's own. */
  readonly folder?: URL;
}

/**
 * Applies what is missing and returns the names applied.
 * @throws when a migration fails, or the database was made by a build with other migrations: nothing is changed then.
 */
export async function migrate(url: string, options: MigrateOptions): Promise<readonly string[]> {
  const client = await connectPlain({ connectionString: url, application_name: "titian migrate" });
  try {
    // While an index is built, the transaction that holds the lock on the migrations idles.
    await client.query("set lock_timeout = '2s'; set idle_in_transaction_session_timeout = 0");
    await createMigrationsTable(client);
    const migrations = readMigrations(options.folder);
    const other = findOtherBuild(await readApplied(client), migrations);
    if (other !== undefined) throw new Error(other);
    const applied: string[] = [];
    for (const migration of migrations) {
      if (await apply(client, url, migration, options.now)) {
        applied.push(migration.name);
        options.onProgress?.(`migrated ${migration.name}`);
      }
    }
    const { applicationRole, administrationRole } = options;
    if (applicationRole !== undefined) await grantRole(client, applicationRole, "service");
    if (administrationRole !== undefined) await grantRole(client, administrationRole, "administration");
    return applied;
  } finally {
    await client.end();
  }
}

/** Differences from this release's schema; none: empty. */
export async function findSchemaFaults(url: string): Promise<readonly string[]> {
  const client = await connectPlain({ connectionString: url, application_name: "titian schema check" });
  try {
    const found = await client.query<{ present: boolean }>("select to_regclass('migrations') is not null as present");
    if (found.rows[0]?.present !== true) return ["the database holds no Titian schema: run `titian migrate`"];
    const applied = await readApplied(client);
    const known = readMigrations();
    const other = findOtherBuild(applied, known);
    if (other !== undefined) return [other];
    const have = new Set(applied.map((row) => row.number));
    const missing = known
      .filter((one) => !have.has(one.number))
      .map((one) => `migration ${one.name} is missing: run \`titian migrate\``);
    const newer = applied
      .filter((row) => row.breaking && row.number > (known.at(-1)?.number ?? 0))
      .map((row) => `migration ${row.name} is newer than this release and breaks it: upgrade this node`);
    return [...missing, ...newer];
  } finally {
    await client.end();
  }
}

type Applied = Pick<Migration, "number" | "name" | "breaking">;

async function readApplied(client: Client): Promise<readonly Applied[]> {
  return (await client.query<Applied>("select number, name, breaking from migrations order by number")).rows;
}

/** A sentence where a migration of a known number has another name; undefined where none has. */
function findOtherBuild(applied: readonly Applied[], known: readonly Migration[]): string | undefined {
  const names = new Map(known.map(({ number, name }) => [number, name]));
  const other = applied.find(({ number, name }) => (names.get(number) ?? name) !== name);
  if (other === undefined) return undefined;
  return (
    `the database was made by another build: it has migration ${other.name} where this release has ` +
    `${names.get(other.number)}. Its data cannot be migrated: use an empty database; in the sandbox, another TITIAN_DATA_DIR`
  );
}

function readMigrations(folder = migrationsFolder): readonly Migration[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith(".sql"))
    .toSorted()
    .map((file) => {
      const sql = readFileSync(new URL(file, folder), "utf8");
      return {
        number: Number(file.slice(0, 4)),
        name: file.slice(0, -4),
        breaking: sql.startsWith("-- breaking"),
        concurrent: sql.startsWith(concurrentMark),
        sql,
      };
    });
}

async function createMigrationsTable(client: Client): Promise<void> {
  const found = await client.query<{ present: boolean }>("select to_regclass('migrations') is not null as present");
  if (found.rows[0]?.present === true) return;
  try {
    await client.query(
      "create table if not exists migrations (number int primary key, name text not null, breaking boolean not null, applied_at timestamptz not null)",
    );
  } catch (error) {
    // Another migrator created it after our check (23505 on pg_type, or 42P07).
    if (!(error instanceof Error && "code" in error && (error.code === "23505" || error.code === "42P07"))) throw error;
  }
}

async function apply(client: Client, url: string, migration: Migration, now: number): Promise<boolean> {
  // Without a parameter, so that no portal keeps its snapshot: the build of an index would wait for it, and so for us.
  const applied = `select from migrations where number = ${migration.number}`;
  const done = await client.query(applied);
  if (done.rowCount === 1) return false;
  await client.query("begin");
  try {
    await lockMigrations(client);
    const meanwhile = await client.query(applied);
    if (meanwhile.rowCount === 0) {
      if (migration.concurrent) await runConcurrentMigration(url, migration.sql);
      else await client.query(migration.sql);
      await client.query("insert into migrations (number, name, breaking, applied_at) values ($1, $2, $3, $4)", [
        migration.number,
        migration.name,
        migration.breaking,
        new Date(now),
      ]);
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
  await client.query("begin");
  try {
    // Two at once would change the same rows of PostgreSQL's catalogue, and one of them would fail.
    await lockMigrations(client);
    await grantRights(client, role, kind);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}
