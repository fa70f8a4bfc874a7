/** Titian in any schema: its functions look nowhere else, and a search_path that names another schema is all an installation there needs. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { Client } from "pg";
import { createReadPool } from "../../packages/server/src/store/postgres/connect.ts";
import { findMissingRights } from "../../packages/server/src/store/schema/rights.ts";
import { migrate } from "../../packages/server/src/store/schema/migrate.ts";
import { administrationRole, applicationRole } from "../../packages/server/src/store/schema/roles.ts";
import { findFaults } from "../engine/find-faults.ts";
import { accounts, seedAccounts } from "../engine/seed-accounts.ts";
import { transferCommand } from "../engine/transfers.ts";
import { useDatabase } from "../support/database/database.ts";
import { roleUrlsOf } from "../support/database/template.ts";
import { withClient } from "../support/database/with-client.ts";
import { startPlainCore } from "../support/plain-core.ts";

const database = await useDatabase();
const client = new Client(database.ownerUrl);
await client.connect();
const schema = (await client.query<{ name: string }>("select current_schema() as name")).rows[0]?.name ?? "";
after(async () => {
  await client.end();
  await database.drop();
});

/** SQL functions that name no table are left as they are: the planner writes them into the statements that call them. */
const unpinned = `
  with ours as (select relnamespace as id, quote_ident(nspname) as name from pg_class c join pg_namespace n on n.oid = relnamespace
      where c.oid = to_regclass('accounts')),
    tables as (select '\\m(from|join|into|update)\\s+(' || string_agg(relname, '|') || ')\\M' as named
      from pg_class, ours where relnamespace = ours.id and relkind in ('r', 'p', 'v'))
  select proname from ours, tables, pg_proc p join pg_language l on l.oid = prolang
  where pronamespace = ours.id and (lanname <> 'sql' or prosecdef or prosrc ~ tables.named or proconfig is not null)
    and not coalesce(proconfig, '{}') @> array['search_path=' || ours.name || ', pg_temp']
  order by proname`;
const namesOf = async () => (await client.query<{ proname: string }>(unpinned)).rows.map(({ proname }) => proname);

test("every function looks in the schema of the tables alone, and for temporary tables last", async () => {
  assert.deepEqual(await namesOf(), []);
  await client.query(`begin;
    create function plain() returns void language plpgsql as 'begin end';
    create function of_tables() returns bigint language sql stable as 'select count(*) from accounts';
    create function of_caller() returns void language plpgsql set search_path = "$user", public, pg_temp as 'begin end';
    create function no_table() returns int language sql immutable as 'select 1'`);
  const found = await namesOf();
  await client.query("rollback");
  assert.deepEqual(found, ["of_caller", "of_tables", "plain"]);
});

test("neither a session's own operators nor its own tables stand for ours in a trigger", async () => {
  const entries = `insert into entries (account_id, version, journal_id, kind, currency, amount, balance_after, created_at)
    select gen_random_uuid(), 1, '00000000-0000-7000-8000-000000000000', 1, 'IDR', amount, amount, '2026-11-23' from unnest(array[5, -4]) amount`;
  const credentials = (id: string) =>
    `insert into partner_credentials (id, partner, kind, value, created_at) values (gen_random_uuid(), '${id}', 'publicKey', 'the same', now())`;
  await client.query(`begin; set local session_replication_role = replica; create schema mine;
    create function mine.differs(numeric, int) returns boolean language sql immutable as 'select false';
    create operator mine.<> (leftarg = numeric, rightarg = int, function = mine.differs);
    ${credentials("0190aaaa-0000-7000-8000-000000000001")};
    set local session_replication_role = origin; create temporary table partner_credentials (partner uuid, kind text, value text);
    set local search_path = mine, pg_catalog, ${schema}; savepoint start`);
  await assert.rejects(client.query(entries), /a journal does not balance/);
  await client.query("rollback to start");
  const second = credentials("0190aaaa-0000-7000-8000-000000000002").replace("partner_", `${schema}.partner_`);
  await assert.rejects(client.query(second), /another partner has this public key/);
  await client.query("rollback");
});

const elsewhere = (url: string, path: string) => {
  const changed = new URL(url);
  changed.searchParams.set("options", `-c search_path=${path}`);
  return changed.href;
};

test("a migration changes nothing where its tables are not in the first schema of the search_path", async () => {
  await client.query("create schema titian_first");
  await assert.rejects(
    migrate(elsewhere(database.ownerUrl, `titian_first,${schema}`), { now: 0 }),
    new RegExp(
      `the tables are in the schema ${schema}, and new ones would be made in titian_first: .* must name ${schema} first`,
    ),
  );
  await assert.rejects(
    migrate(elsewhere(database.ownerUrl, "titian_nowhere"), { now: 0 }),
    /the search_path titian_nowhere names no schema that this role may use/,
  );
  await client.query('create schema "Titian A"');
  await assert.rejects(
    migrate(elsewhere(database.ownerUrl, '"Titian\\ A"'), { now: 0 }),
    /the schema "Titian A" has a name that needs quotes: use small letters, digits and _/,
  );
});

test("beside an installation in one schema another serves in its own, by the search_path of its URLs alone", async () => {
  await client.query("create schema titian_a");
  const ownerUrl = elsewhere(database.ownerUrl, "titian_a");
  const { url, administrationUrl } = roleUrlsOf(ownerUrl);
  await migrate(ownerUrl, { now: Date.now(), applicationRole, administrationRole });
  const administration = createReadPool(administrationUrl, 1);
  assert.deepEqual(await findMissingRights(administration), { role: administrationRole, missing: [] });
  await administration.end();
  await withClient(ownerUrl, (owner) => seedAccounts(owner, accounts(4, 1_000n)));
  await using core = await startPlainCore(url, { environment: "production" });
  // The second finds the accounts remembered, and is written by a function.
  for (const externalId of ["one", "two"]) {
    const outcome = await core.engine.submit(transferCommand({ from: "1", to: "2", amount: 5n, externalId }));
    assert.equal(outcome.kind, "effect");
  }
  const made = "select make_partition('entries', now() + interval '200 days', now() + interval '201 days') as made";
  assert.deepEqual((await withClient(url, (service) => service.query(made))).rows, [{ made: true }]);
  assert.deepEqual(await withClient(ownerUrl, findFaults), []);
  const rows = `select (select count(*)::int from titian_a.entries) as theirs, (select count(*)::int from entries) as ours,
    (select count(*)::int from titian_a.partitions) - (select count(*)::int from partitions) as partitions`;
  assert.deepEqual((await client.query(rows)).rows, [{ theirs: 12, ours: 0, partitions: 1 }]);
});
