/** Migrations on tables in use: an index is built while writes go on, and again where the build was interrupted. */
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { Client } from "pg";
import { findSchemaFaults, migrate, migrationsFolder } from "../../packages/server/src/store/postgres/migrate.ts";
import { useDatabase } from "../support/database/database.ts";

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
  while ((await owner.query(building)).rowCount !== 1) await sleep(10);
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

test("a concurrent migration holds nothing else", async () => {
  write("9003-other", "-- concurrent\ndrop index concurrently if exists live_value; delete from live;");
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
  const faults = await findSchemaFaults(database.url);
  assert.match(faults.join(), sentence);
  assert.equal(faults.length, 1);
});
