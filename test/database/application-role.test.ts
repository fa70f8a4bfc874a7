import assert from "node:assert/strict";
import { after, test } from "node:test";
import { Client } from "pg";
import { administrationRole, applicationRole } from "../../packages/server/src/store/schema/roles.ts";
import { readAccountsSize } from "../../packages/server/src/store/partitions/compaction.ts";
import { createAdminPool } from "../../packages/server/src/store/postgres/connect.ts";
import { rightsOf } from "../../packages/server/src/store/schema/rights.ts";
import { migrate } from "../../packages/server/src/store/schema/migrate.ts";
import { endSearchKeysBefore } from "../../packages/server/src/admin/partitions.ts";
import { eventually } from "../support/black-box/answers.ts";
import { useDatabase } from "../support/database/database.ts";
import { useJobRoles } from "../support/database/job-roles.ts";
import { queryRows } from "../support/database/with-client.ts";

const database = await useDatabase();
// Somebody else's table is none of ours to give.
await queryRows(database.ownerUrl, "create table foreign_table (id int)");
const { url } = database;
after(() => database.drop());

const isRejected = (error: unknown) => error instanceof Error && "code" in error && error.code === "42501";

test("the service's role can neither change nor delete what was accepted or booked", async () => {
  const rejected = [
    "update entries set amount = 1",
    "delete from entries",
    "truncate entries",
    "delete from accepted_requests",
    "truncate accepted_requests",
    "update accepted_requests set payload = '{}'",
    "update request_keys set request_id = key",
    "truncate request_keys",
    "delete from rejected_requests",
    "delete from entries_default",
    "drop table entries_default",
    "select create_like_parent('entries', 'more')",
    "delete from accounts",
    "delete from payment_requests",
    "update payment_requests set requested_amount = 1",
    "update rejected_requests set kind = ''",
    "delete from service_state",
    "insert into partners (id) values (gen_random_uuid())",
    "update partners set status = 'active'",
    "delete from partners",
    "insert into partner_credentials (id, partner, kind, value) select gen_random_uuid(), id, 'publicKey', '' from partners",
    "update partner_credentials set value = ''",
    "delete from partner_credentials",
    "insert into merchants (id) values (gen_random_uuid())",
    "update merchants set status = 'active'",
    "insert into sealing_key (id) values (1)",
    "update sealing_key set public_key = ''",
    "delete from sealing_key",
    "insert into cells (number) values (1)",
    "update cells set ranges = '[]'",
    "delete from cells",
    "select add_cell(1, '[]', gen_random_uuid())",
    "insert into customer_grants (id) values (gen_random_uuid())",
    "update customer_grants set account_id = partner",
    "update accounts set account_no = ''",
    ...["name = ''", "status = 'active'", "authorized_partner_ids = '{}'", "minimum_balance = 0"].map(
      (set) => `update accounts set ${set}`,
    ),
    ...["limit_per_transfer", "limit_daily", "limit_daily_count"].map((limit) => `update accounts set ${limit} = null`),
    "update reference_version set id = 2",
    "delete from reference_version",
    "insert into migrations (number) values (9999)",
    "create table more (id int)",
    "select from foreign_table",
  ];
  for (const statement of rejected) await assert.rejects(queryRows(url, statement), isRejected, statement);
});

test("a temporary table of the service's role does not stand for ours in the owner's functions", async () => {
  await queryRows(
    url,
    `create temporary table partitions (parent text, name text, from_id uuid, to_id uuid);
    insert into partitions values ('rejected_requests', 'entries_default', null, '${"0".repeat(8)}-0000-0000-0000-${"0".repeat(12)}');
    grant all on partitions to public;
    select drop_partitions('rejected_requests', now() - interval '8 days')`,
  );
  await queryRows(database.ownerUrl, "select from entries_default");
});

test("an external id can be given up, a number never, and no key leads to another request", async () => {
  const [externalId, number] = ["7fffffff-ffff-ffff-ffff-ffffffffffff", "80000000-0000-0000-0000-000000000000"];
  await queryRows(
    url,
    `insert into request_keys (key, request_id) values ('${externalId}', '${number}'), ('${number}', '${number}')`,
  );
  const isKept = (error: unknown) => error instanceof Error && "code" in error && error.code === "23001";
  await assert.rejects(queryRows(url, "delete from request_keys"), isKept);
  await assert.rejects(queryRows(url, `delete from request_keys where key = '${number}'`), isKept);
  await assert.rejects(queryRows(database.ownerUrl, "update request_keys set request_id = key"), isKept);
  await assert.rejects(queryRows(database.ownerUrl, "update accepted_requests set payload = '{}'"), isKept);
  await assert.rejects(queryRows(database.ownerUrl, "delete from accepted_requests"), isKept);
  await queryRows(url, `delete from request_keys where key = '${externalId}'`);
  assert.equal((await queryRows(url, "select from request_keys")).length, 1);
});

test("not even the owner changes entries, accepted requests or acts, or adds a journal that does not balance", async () => {
  const isKept = (error: unknown) => error instanceof Error && "code" in error && error.code === "23001";
  for (const table of ["entries", "accepted_requests", "request_keys", "acts"])
    await assert.rejects(queryRows(database.ownerUrl, `truncate ${table}`), isKept, table);
  await assert.rejects(queryRows(database.ownerUrl, "update entries set amount = 1"), isKept);
  await assert.rejects(queryRows(database.ownerUrl, "delete from entries"), isKept);
  await assert.rejects(queryRows(database.ownerUrl, "update acts set reason = ''"), isKept);
  const add = (
    amounts: string,
  ) => `insert into entries (account_id, version, journal_id, kind, currency, amount, balance_after, created_at)
    select gen_random_uuid(), 1, '00000000-0000-7000-8000-000000000000', 1, 'IDR', amount, amount, '2026-11-23' from unnest(array[${amounts}]) amount`;
  const isUnbalanced = { code: "23514", constraint: "entries_balanced" };
  await assert.rejects(queryRows(database.ownerUrl, add("5, -4")), isUnbalanced);
  await queryRows(database.ownerUrl, add("5, -5"));
});

test("the service's role can do what the service does", async () => {
  const allowed = [
    "update accounts set balance = balance where false",
    "delete from request_keys where false",
    "update payment_requests set state = 'declined' where false",
    "select make_partition('entries', now(), now() + interval '1 second')",
    "select drop_partitions('rejected_requests', now() - interval '90 days')",
    "select count_default_rows('entries')",
    "select move_account('00000000-0000-0000-0000-000000000000', 1)",
    "select from partitions",
    "delete from planned_faults where false",
    "delete from customer_grants where false",
    "update customer_grants set hash = hash where false",
    "update reference_version set version = version + 1 where id = 1 returning version",
    "insert into service_state as kept (name, value) values ('x', '1') on conflict (name) do update set value = kept.value",
    "select number from migrations",
  ];
  for (const statement of allowed) await queryRows(url, statement);
});

test("each role may run the jobs that are its own, and no other: attempted one by one", async () => {
  const id = "00000000-0000-0000-0000-000000000000";
  /** Statements of jobs, each with the roles that may make it. */
  const attempts: Readonly<Record<string, readonly string[]>> = {
    "select from entries, partners, act_steps, operators": ["service", "administration", "audit", "jobs"],
    "select from customer_grants": ["service", "administration"],
    [`select keep_audit_position('${id}', 'none')`]: ["service", "administration", "audit"],
    "select find_detach_obstacles('none')": ["jobs"],
    "select detach_partitions('{}', '{}', '{}', '{}')": ["jobs"],
    "select keep_detached_list('{}')": [],
    "select empty_search()": ["jobs"],
    "update rail_leases set stopped_because = null where false": ["service", "administration"],
    "update rail_differences set decision = 'carried' where false": ["administration"],
    "delete from rail_differences where false": ["service", "administration"],
    "update rail_instructions set written_at = null where false": ["service", "administration"],
    "update rail_instructions set state = 'settled' where false": ["service", "administration"],
    "update set_aside_results set closed_at = now() where false": ["service", "administration"],
    "update accounts set balance = balance where false": ["service", "administration"],
    "insert into entries select * from entries where false": ["service", "administration"],
    "insert into service_state select * from service_state where false": ["service", "administration"],
    "update transfers set state = 'settled' where false": ["service", "administration"],
    [`select carry_out_act('${id}', 'done', null, null, null, null)`]: ["service", "administration"],
    [`select propose_act('${id}', 'funding', '1', '', null, '{}', 'x', null, '1 day')`]: ["administration"],
    [`select approve_act('${id}', null)`]: ["administration"],
    [`select open_operator_session('https://a', 'b', '', 'cli', '::1', true)`]: [],
    [`select add_operator('{}', 'approver')`]: [],
  };
  const roles = await useJobRoles(database.ownerUrl);
  try {
    const { administrationUrl: administration } = database;
    const urls = { service: url, administration, audit: roles.auditUrl, jobs: roles.jobUrl };
    for (const [statement, allowed] of Object.entries(attempts))
      for (const [role, of] of Object.entries(urls)) {
        const isDenied = await queryRows(of, statement).then(() => false, isRejected);
        assert.equal(!isDenied, allowed.includes(role), `${role}: ${statement}`);
      }
    await assert.rejects(queryRows(roles.auditUrl, "select keep_audit_position(id_at(now() + '1 hour'), null)"), {
      code: "22023",
    });
    const current = "(select name from partitions where parent = 'entries' and to_id is not null limit 1)";
    const detach = `select detach_partitions(array[${current}], '{x}', '{x}', '{}')`;
    await assert.rejects(queryRows(roles.jobUrl, detach), {
      code: "23001",
      message: /: the last 90 days stay attached/,
    });
    for (const name of ["none", "entries_default"])
      await assert.rejects(queryRows(roles.jobUrl, `select find_detach_obstacles('${name}')`), { code: "22023" });
    await assert.rejects(
      endSearchKeysBefore(roles.jobUrl, 0),
      /DATABASE_URL logs in as jobs_.*the owner of the schema/,
    );
  } finally {
    await roles.drop();
  }
});

test("administration's role changes or deletes nothing that was accepted or booked, and writes no partner, key or merchant", async () => {
  const { administrationUrl } = database;
  const denied = [
    "delete from entries",
    "update accepted_requests set payload = '{}'",
    "delete from service_state",
    "insert into partners (id) values (gen_random_uuid())",
    "update partners set status = 'active'",
    "insert into partner_credentials (id, partner, kind, value) select gen_random_uuid(), id, 'publicKey', '' from partners",
    "update partner_credentials set expires_at = null",
    "delete from partner_credentials",
    "update merchants set name = name",
    "select write_credentials(null, null)",
    "select apply_partner_key(null)",
    "select run_act_function('apply_partner', null)",
  ];
  for (const statement of denied) await assert.rejects(queryRows(administrationUrl, statement), isRejected, statement);
});

test("the version of the reference data goes up by one, and never back", async () => {
  const isKept = (error: unknown) => error instanceof Error && "code" in error && error.code === "23001";
  for (const next of ["version", "version - 1", "version + 2"])
    await assert.rejects(queryRows(url, `update reference_version set version = ${next}`), isKept, next);
  await queryRows(url, "update reference_version set version = version + 1");
});

test("the service's role sees how large accounts is, and for how long the owner keeps a snapshot", async () => {
  await queryRows(
    database.ownerUrl,
    `insert into accounts (id, account_no, name, currency, purpose, type, status, opened_at)
      values (gen_random_uuid(), '1', 'holder', 'IDR', 'customer', 'S', 'active', now());
    analyze accounts`,
  );
  const pool = createAdminPool(url, 1);
  const report = new Client({ connectionString: database.ownerUrl });
  await report.connect();
  try {
    await report.query("begin isolation level repeatable read; select from accounts");
    const before = await readAccountsSize(pool);
    await queryRows(database.ownerUrl, "update accounts set name = name");
    const { pages, pagesNeeded, oldestSnapshot } = await readAccountsSize(pool);
    assert.deepEqual({ pages, pagesNeeded }, { pages: 1, pagesNeeded: 1 });
    assert.ok(oldestSnapshot <= before.nextTransaction);
    await report.query("commit");
    // Transactions of other tests on the cluster count, too.
    const isGone = async () => (await readAccountsSize(pool)).oldestSnapshot > before.nextTransaction;
    await eventually(isGone, 50);
  } finally {
    await Promise.all([pool.end(), report.end()]);
  }
});

test("a right of an earlier release is taken back, by several at once as well", async () => {
  await queryRows(
    database.ownerUrl,
    `grant delete on accepted_requests to ${applicationRole}; grant update (payload) on accepted_requests to ${applicationRole}`,
  );
  await Promise.all([1, 2, 3].map(() => migrate(database.ownerUrl, { now: 0, applicationRole })));
  await assert.rejects(queryRows(url, "delete from accepted_requests"), isRejected);
  await assert.rejects(queryRows(url, "update accepted_requests set payload = '{}'"), isRejected);
});

test("each role has the rights of the table of rights, and no other", async () => {
  for (const [role, kind] of [
    [applicationRole, "service"],
    [administrationRole, "administration"],
  ] as const) {
    const granted = await queryRows(
      database.ownerUrl,
      `select table_name || ' ' || lower(privilege_type) || coalesce(' ' || column_name, '') as "right" from (
          select table_name, privilege_type, null as column_name from information_schema.role_table_grants where grantee = '${role}'
          union select table_name, privilege_type, column_name from information_schema.role_column_grants c where grantee = '${role}'
            and not exists (select from information_schema.role_table_grants t
              where t.grantee = c.grantee and t.table_name = c.table_name and t.privilege_type = c.privilege_type)) found
        order by 1`,
    );
    const wanted = rightsOf(kind).map(({ table, verb, column }) => [table, verb, column].filter(Boolean).join(" "));
    assert.deepEqual(
      granted.map((row) => Object.values(row as object)[0]),
      [...new Set(wanted)].sort(),
      role,
    );
  }
});

test("every table of the schema has its rights", async () => {
  const rows = await queryRows(
    database.ownerUrl,
    `select relname from pg_class where relkind in ('r', 'p') and not relispartition and relnamespace = current_schema()::regnamespace
       and relname <> 'foreign_table' and not has_table_privilege('${applicationRole}', oid, 'select')`,
  );
  assert.deepEqual(rows, []);
});
