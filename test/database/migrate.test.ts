/** Migrations: on tables in use, changed after they were applied, and of other releases than the one that looks. */
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { Client } from "pg";
import { watchSchema } from "../../packages/server/src/compose/watch-schema.ts";
import { findSchemaFaults } from "../../packages/server/src/store/schema/applied-migrations.ts";
import { migrate } from "../../packages/server/src/store/schema/migrate.ts";
import { migrationsFolder } from "../../packages/server/src/store/schema/migration-files.ts";
import { eventually } from "../support/black-box/answers.ts";
import { useDatabase } from "../support/database/database.ts";
import { withClient } from "../support/database/with-client.ts";
import { opening, startPlainCore } from "../support/plain-core.ts";

const database = await useDatabase();
const [owner, writer] = [new Client(database.ownerUrl), new Client(database.ownerUrl)];
await Promise.all([owner.connect(), writer.connect()]);
await owner.query("create table live (id int, value int); insert into live values (1, 1), (2, 1)");
const temporary = mkdtempSync(join(tmpdir(), "titian-migrations-"));
after(async () => {
  await Promise.all([owner.end(), writer.end()]);
  await database.drop();
  rmSync(temporary, { recursive: true });
});

const folder = pathToFileURL(`${temporary}/`);
const write = (name: string, sql: string) => writeFileSync(join(temporary, `${name}.sql`), sql);
const migrateAll = () => migrate(database.ownerUrl, { now: 0, folder });
const indexes = async () => {
  const { rows } = await owner.query<{ name: string; valid: boolean }>(
    "select indexrelid::regclass::text as name, indisvalid as valid from pg_index where indrelid = 'live'::regclass order by name",
  );
  return rows.map(({ name, valid }) => `${name} ${valid ? "valid" : "invalid"}`);
};

test("an index of a table in use is built while writes go on, by one of two migrators", async () => {
  write("9001-index", "-- concurrent\ncreate index concurrently if not exists live_id on live (id); -- by id\n");
  await writer.query("begin; insert into live values (3, 2)");
  const migrating = Promise.all([migrateAll(), migrateAll()]);
  const building = "select from pg_stat_progress_create_index where relid = 'live'::regclass and phase like 'waiting%'";
  await eventually(async () => (await owner.query(building)).rowCount === 1, 20);
  // It waits for the writer; nobody waits for it.
  await owner.query("set lock_timeout = '1s'; insert into live values (4, 3)");
  await writer.query("commit");
  assert.deepEqual((await migrating).flat(), ["9001-index"]);
  assert.deepEqual(await indexes(), ["live_id valid"]);
  assert.deepEqual(await migrateAll(), []);
});

test("an index whose build was interrupted is built anew", async () => {
  write("9002-unique", "-- concurrent\ncreate unique index concurrently if not exists live_value on live (value);");
  await assert.rejects(migrateAll(), /migration 9002-unique failed: could not create unique index/);
  assert.deepEqual(await indexes(), ["live_id valid", "live_value invalid"]);
  await owner.query("update live set value = 4 where id = 2");
  assert.deepEqual(await migrateAll(), ["9002-unique"]);
  assert.deepEqual(await indexes(), ["live_id valid", "live_value valid"]);
});

test("an index of a partitioned table is built in each partition while writes go on, and on from where it was stopped", async () => {
  await owner.query(`create table many (id int, value int) partition by range (id);
    create table many_1 partition of many for values from (0) to (10); create table many_default partition of many default;
    insert into many values (1, 1), (11, 1), (12, 1), (12, 2)`);
  write(
    "9003-many",
    "-- concurrent\ncreate unique index concurrently if not exists many_id on many (id) where value > 0;",
  );
  await assert.rejects(migrateAll(), /migration 9003-many failed: could not create unique index "many_id_default"/);
  // A partition that is made meanwhile has the index from the beginning.
  await owner.query(`delete from many where value = 2; create table many_2 (like many including all);
    alter table many attach partition many_2 for values from (20) to (30)`);
  await writer.query("begin; insert into many values (13, 2)");
  const migrating = migrateAll();
  const waiting =
    "select from pg_stat_activity where application_name = 'titian migrate index' and wait_event_type = 'Lock'";
  await eventually(async () => (await owner.query(waiting)).rowCount === 1, 20);
  await owner.query("set lock_timeout = '1s'; insert into many values (14, 3)");
  await writer.query("commit");
  assert.deepEqual(await migrating, ["9003-many"]);
  const { rows } = await owner.query<{ table: string; valid: boolean }>(
    `select x.indrelid::regclass::text as table, x.indisvalid as valid from pg_index x
     where indexrelid in (select relid from pg_partition_tree('many_id'))`,
  );
  assert.deepEqual(
    new Map(rows.map(({ table, valid }) => [table, valid])),
    new Map(["many", "many_1", "many_2", "many_default"].map((name) => [name, true])),
  );
});

test("a concurrent migration holds nothing else", async () => {
  write("9004-other", "-- concurrent\ndrop index concurrently if exists live_value; delete from live;");
  await assert.rejects(migrateAll(), /only creates or drops indexes concurrently: delete from live/);
  assert.deepEqual(await indexes(), ["live_id valid", "live_value valid"]);
  assert.equal((await owner.query("select from live")).rowCount, 4);
});

test("no migration locks a table of an earlier one to build an index", () => {
  const made = new Set<string>();
  for (const file of readdirSync(migrationsFolder)
    .filter((name) => name.endsWith(".sql"))
    .toSorted()) {
    const sql = readFileSync(new URL(file, migrationsFolder), "utf8").replaceAll(/--.*$/gm, "");
    const indexed = [
      ...sql.matchAll(/create (?:unique )?index (?!concurrently)\w+\s+on (\w+)/g),
      ...sql.matchAll(/alter table (\w+)(?=[^;]*add (?:constraint \w+ )?(?:unique|primary key|exclude)\b(?! using))/g),
    ];
    const live = indexed.flatMap(([, table]) => (made.has(table ?? "") ? [table] : []));
    const sentence = `${file}: build the index in a migration beginning with "-- concurrent" (CONTRIBUTING.md)`;
    assert.deepEqual(live, [], sentence);
    for (const [, table] of sql.matchAll(/create table (\w+)/g)) made.add(table ?? "");
  }
});

test("a database of a build with other migrations is rejected and left as it is", async () => {
  await owner.query("update migrations set name = '0001-baseline-ledger' where number = 1");
  const sentence =
    /made by another build: it has migration 0001-baseline-ledger where this release has 0001-ledger\. .*empty database/;
  await assert.rejects(migrate(database.ownerUrl, { now: 0 }), sentence);
  const faults = await withClient(database.url, findSchemaFaults);
  assert.match(faults.join(), sentence);
  assert.equal(faults.length, 1);
});

/** This release's migrations, and what is planted among them. */
function releaseWith(planted: Readonly<Record<string, string>>): URL {
  const path = mkdtempSync(join(temporary, "release-"));
  cpSync(migrationsFolder, path, { recursive: true });
  for (const [name, sql] of Object.entries(planted)) writeFileSync(join(path, `${name}.sql`), sql);
  return pathToFileURL(`${path}/`);
}

async function useSchema() {
  const { url, ownerUrl, drop } = await useDatabase();
  const client = new Client(ownerUrl);
  await client.connect();
  const close = async () => {
    await client.end();
    await drop();
  };
  const migrateTo = (release?: URL) => migrate(ownerUrl, { now: 0, ...(release && { folder: release }) });
  return { url, client, migrateTo, [Symbol.asyncDispose]: close };
}

test("a migration that was changed after it was applied is named by migrate and by a node, and nothing is changed", async () => {
  await using schema = await useSchema();
  const changed = releaseWith({ "0005-notifications": "create table outbox ();", "9001-next": "create table next ()" });
  const sentence =
    /migration 0005-notifications is not the one that was applied: .* with SHA-256 [0-9a-f]{64}, .* [0-9a-f]{64}\./;
  await assert.rejects(schema.migrateTo(changed), sentence);
  assert.equal((await schema.client.query("select to_regclass('next') as next")).rows[0].next, null);
  await schema.client.query("update migrations set sha256 = repeat('0', 64) where number = 5");
  assert.match((await withClient(schema.url, findSchemaFaults)).join(), sentence);
});

test("a schema of releases that kept no SHA-256 is compared with a fresh one, and has them then", async () => {
  await using schema = await useSchema();
  const { client, migrateTo } = schema;
  const kept = async () =>
    (await client.query("select count(*)::int as n, count(sha256)::int as kept from migrations")).rows[0];
  await client.query("alter table migrations drop column sha256");
  assert.deepEqual(await withClient(schema.url, findSchemaFaults), []);
  // An operator's own index and table are nobody else's business.
  await client.query("create index own on outbox (partner); create table report (id int)");
  assert.deepEqual(await migrateTo(), []);
  const { n, kept: all } = await kept();
  assert.ok(n > 0 && n === all);
  await client.query(
    "alter table migrations drop column sha256; alter table outbox drop column replay_url, add own int",
  );
  await assert.rejects(
    migrateTo(),
    /missing: outbox column replay_url text; not of this release: outbox column own integer\. Nothing was changed/,
  );
  await assert.rejects(kept(), /column "sha256" does not exist/);
});

test("migrate of an earlier release changes nothing of a later one's schema", async () => {
  await using schema = await useSchema();
  await schema.migrateTo(releaseWith({ "9001-next": "create table next ()" }));
  await assert.rejects(
    schema.migrateTo(),
    /migration 9001-next is of a later release than this: .*Nothing was changed/,
  );
  assert.deepEqual(await withClient(schema.url, findSchemaFaults), []);
});

test("a running node stops when a later release makes a schema that breaks it, and writes nothing after a reconnect", async () => {
  await using schema = await useSchema();
  const stopped = Promise.withResolvers<Error>();
  const lines: string[] = [];
  await using core = await startPlainCore(schema.url, { lines, environment: "production" });
  using _watch = watchSchema(core, stopped.resolve);
  assert.equal((await core.engine.submit(opening("IDR", 9_000))).kind, "effect");
  const next = { "9001-next": "create table next ()" };
  await schema.migrateTo(releaseWith(next));
  await schema.migrateTo(releaseWith({ ...next, "9002-broken": "-- breaking\ncreate table broken ()" }));
  await schema.client.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'titian engine' and datname = current_database()",
  );
  assert.equal((await core.engine.submit(opening("USD", 1_000))).kind, "overloaded");
  const sentence = /migration 9002-broken is newer than this release and breaks it: upgrade this node/;
  assert.match((await stopped.promise).message, sentence);
  const line = lines.filter((text) => text.includes("schema.incompatible"));
  assert.equal(line.length, 1);
  assert.match(line.join(), sentence);
});
