import assert from "node:assert/strict";
import { after, test } from "node:test";
import { useDatabase, useOwnCluster } from "../support/database/database.ts";
import { queryRows } from "../support/database/with-client.ts";

const database = await useDatabase();
after(() => database.drop());

test("a file's database has the schema, and is its own", async () => {
  await using other = await useDatabase();
  await queryRows(database.ownerUrl, "create table mark (id int)");
  const [row] = await queryRows(other.url, "select to_regclass('accounts') as accounts, to_regclass('mark') as mark");
  assert.deepEqual(row, { accounts: "accounts", mark: null });
});

test("tests work as the role that services run as, unless they say otherwise", async () => {
  await using cluster = await useOwnCluster();
  for (const { url, ownerUrl } of [database, cluster]) {
    const user = "select current_user as name, rolsuper from pg_roles where rolname = current_user";
    assert.deepEqual(await queryRows(url, user), [{ name: "titian_app", rolsuper: false }]);
    assert.partialDeepStrictEqual(await queryRows(ownerUrl, user), [{ rolsuper: true }]);
  }
});

test("a database is durable as in production, and sorts alike on every machine", async () => {
  const [row] = await queryRows(
    database.url,
    `select current_setting('fsync') as fsync, current_setting('full_page_writes') as pages,
       current_setting('synchronous_commit') as commit, current_setting('listen_addresses') as listens,
       current_setting('server_encoding') as encoding, datlocprovider as provider, datlocale as locale
     from pg_database where datname = current_database()`,
  );
  assert.deepEqual(row, {
    fsync: "on",
    pages: "on",
    commit: "on",
    listens: "127.0.0.1",
    encoding: "UTF8",
    provider: "b",
    locale: "C.UTF-8",
  });
});

test("a cluster of one's own comes back from a crash with everything committed", async () => {
  await using cluster = await useOwnCluster();
  await queryRows(cluster.ownerUrl, "create table mark (id int); insert into mark values (1)");
  await cluster.crash();
  assert.deepEqual(await queryRows(cluster.ownerUrl, "select id from mark"), [{ id: 1 }]);
});
