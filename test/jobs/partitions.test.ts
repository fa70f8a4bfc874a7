/**
 * Partitions are made ahead while calls are served, and dropped when what is in them is old
 * (docs/guides/database-growth.md).
 */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { runAudit } from "../../packages/server/src/admin/audit/audit.ts";
import { createDropPartitions } from "../../packages/server/src/jobs/drop-partitions.ts";
import { createMakePartitions } from "../../packages/server/src/jobs/make-partitions.ts";
import { idAt } from "../../packages/server/src/basics/ids.ts";
import {
  makePartition,
  partitionedTables,
  type PartitionedTable,
} from "../../packages/server/src/store/partitions/partitions.ts";
import { findFaults } from "../engine/find-faults.ts";
import { forkNode } from "../engine/fork-node.ts";
import { accounts, seedAccounts } from "../engine/seed-accounts.ts";
import { useJobDatabase } from "../support/database/job-database.ts";
import { mayGoOn } from "../support/run-job.ts";

const database = await useJobDatabase();
const { pool, client } = database;
after(() => database.drop());

const day = 86_400_000;
const clock = { real: () => Date.now() };

interface Kept {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

async function partitionsOf(table: PartitionedTable): Promise<readonly Kept[]> {
  const { rows } = await client.query<{ name: string; from: string; to: string }>(
    `select name, extract(epoch from time_of(from_id)) * 1000 as from, extract(epoch from time_of(to_id)) * 1000 as to
     from partitions where parent = $1 and not is_default order by from_id`,
    [table],
  );
  return rows.map(({ name, from, to }) => ({ name, from: Number(from), to: Number(to) }));
}

async function dropAll(): Promise<void> {
  for (const table of partitionedTables) {
    for (const { name } of await partitionsOf(table)) await client.query(`drop table ${name}`);
  }
}

const defaultRows = new Map<PartitionedTable, number>();
const makeEach = (periodMs: number, at = clock) =>
  createMakePartitions({ pool, clock: at, periodMs, onDefaultRows: (table, rows) => defaultRows.set(table, rows) });

/** Partitions without a gap, of these many whole periods from the last one that has begun. */
function assertAhead(found: readonly Kept[], periodMs: number, now = Date.now()): void {
  for (const [position, { from, to }] of found.entries()) {
    assert.equal(from, found[position - 1]?.to ?? from);
    assert.ok(to - from <= periodMs);
  }
  const end = found.at(-1)?.to ?? 0;
  assert.ok(end >= now + 3 * periodMs && end <= now + 5 * periodMs, `until ${new Date(end).toISOString()}`);
}

test("a new database has partitions of whole weeks, from the last one to the fourth ahead; a run makes no more", async () => {
  // The week in which it was made: the next one may have begun since.
  const begun = (await partitionsOf("entries"))[1]?.from ?? 0;
  assert.ok(begun > Date.now() - 8 * day && begun <= Date.now());
  assert.equal(await makeEach(7 * day, { real: () => begun }).run(mayGoOn), 0);
  for (const table of partitionedTables) {
    const found = await partitionsOf(table);
    assertAhead(found, 7 * day, begun);
    assert.ok(
      found.every(({ from, to }) => new Date(from).getUTCDay() === 1 && from % day === 0 && to - from === 7 * day),
    );
    assert.equal(defaultRows.get(table), 0);
  }
});

test("periods of another length begin behind those there are", async () => {
  const before = await partitionsOf("entries");
  const [kept, dropped] = [before.slice(0, -3), before.slice(-3)];
  const end = kept.at(-1)?.to ?? 0;
  await client.query(`drop table ${dropped.map(({ name }) => name).join()}`);
  assert.equal(await makeEach(day, { real: () => end - day }).run(mayGoOn), 3);
  const found = (await partitionsOf("entries")).slice(kept.length);
  assert.deepEqual(
    found.map(({ from, to }) => [from, to]),
    [0, 1, 2].map((n) => [end + n * day, end + (n + 1) * day]),
  );
});

test("two nodes at once make each partition once, also of what a default partition has, while two others serve calls", async () => {
  await dropAll();
  await seedAccounts(client, accounts(20, 1_000_000n));
  const nodes = await Promise.all([forkNode(database.url), forkNode(database.url)]);
  let sent = 0;
  let isOver = false;
  const call = async (node: number) => {
    const caller = sent % 18;
    for (let n = 0; !isOver; n += 1) {
      const externalId = `roll-${node}-${caller}-${(sent += 1)}`;
      const answer = await nodes[node % 2]?.submit({
        from: String(caller + 1),
        to: String(caller + 2),
        amount: 1n,
        externalId,
      });
      assert.equal(answer?.kind, "effect");
    }
  };
  const callers = Promise.all(Array.from({ length: 16 }, (_, node) => call(node)));
  try {
    await sleep(500);
    const jobs = [makeEach(1_000), makeEach(1_000)];
    const until = Date.now() + 10_000;
    while (Date.now() < until) {
      await Promise.all(jobs.map((job) => job.run(async () => Date.now() < until)));
      await sleep(100);
    }
  } finally {
    isOver = true;
    await callers;
  }
  assert.deepEqual(await Promise.all(nodes.map((node) => node.close())), [0, 0]);
  assert.deepEqual(
    nodes.flatMap((node) => [...node.failures.keys()]).filter((failure) => /poison|alone/.test(failure)),
    [],
  );
  const count = async (text: string) => Number((await client.query<{ count: string }>(text)).rows[0]?.count);
  assert.equal(await count("select count(*) from accepted_requests where external_id like 'roll-%'"), sent);
  assert.ok((await count("select count(distinct tableoid) from entries")) > 8);
  for (const [table, id] of [
    ["entries", "journal_id"],
    ["accepted_requests", "id"],
  ] as const) {
    const found = await partitionsOf(table);
    assert.ok(found.length > 8 && found.every(({ to }, position) => to === (found[position + 1]?.from ?? to)));
    const bounds = [found[0]?.from, found.at(-1)?.to].map((at) => idAt(at ?? assert.fail()));
    const left = await client.query(`select from ${table}_default where ${id} >= $1 and ${id} < $2`, bounds);
    assert.equal(left.rowCount, 0);
  }
  assert.deepEqual(await findFaults(client), []);
  // The JSON that the commands of a test leave is no request, and accounts made by SQL have no act.
  const { findings } = await runAudit(database.url, { findingsMax: 1_000_000 });
  const ofRequests = ["recordHasJournal", "numberHasRecord", "journalHasOrigin"];
  assert.deepEqual(
    findings.filter(({ check }) => !ofRequests.includes(check)),
    [],
  );
});

test("what is never changed is not changed by the name of a partition either, of one made now or before", async () => {
  const [from, to] = [Date.now() + 300 * day, Date.now() + 307 * day];
  assert.ok(await makePartition(pool, "entries", { from, to }));
  const { rows } = await client.query<{ table: string; name: string }>(
    `select i.inhparent::regclass::text as table, i.inhrelid::regclass::text as name from pg_inherits i
      where i.inhparent in ('accepted_requests'::regclass, 'entries'::regclass, 'request_keys'::regclass)`,
  );
  const columns = { accepted_requests: "payload", entries: "amount", request_keys: "request_id" };
  assert.ok(rows.length > 20);
  for (const { table, name } of rows) {
    const column = columns[table as keyof typeof columns];
    for (const change of [`update ${name} set ${column} = ${column}`, `truncate ${name}`])
      await assert.rejects(client.query(change), /never changed/, change);
  }
  const unbalanced = `insert into entries_default (account_id, version, journal_id, kind, currency, amount, balance_after, created_at)
    values (gen_random_uuid(), 1, 'ffffffff-ffff-7fff-8fff-ffffffffffff', 1, 'IDR', 5, 5, now())`;
  await assert.rejects(client.query(unbalanced), /a journal does not balance/);
});

/** Rejections decided at that time. */
async function reject(count: number, at: number): Promise<void> {
  const id = "gen_random_uuid()";
  await client.query(
    `insert into rejected_requests (id, partner, service, external_id_key, partner_reference_key, signature_key, kind, payload,
       rejected_at, sent_at)
     select overlay($3::text placing substr(${id}::text, 15) from 15)::uuid, ${id}, 17, ${id}, ${id}, ${id}, 'insufficientFunds',
       '{}', $2, $2 from generate_series(1, $1)`,
    [count, new Date(at), idAt(at)],
  );
}

test("partitions of what is kept for a while go when all in them is old enough, and nothing else goes", async () => {
  await dropAll();
  const weeks = [98, 91, 84, 7].map((ago) => Date.now() - ago * day);
  for (const from of weeks) assert.ok(await makePartition(pool, "rejected_requests", { from, to: from + 7 * day }));
  for (const from of weeks) await reject(3, from + day);
  await reject(2, Date.now() - 120 * day);
  const { run } = createDropPartitions({
    pool,
    clock,
    keepMs: {
      rejected_requests: 90 * day,
      delivery_attempts: 90 * day,
      search_words: 400 * day,
      kept_calls: 400 * day,
    },
  });
  assert.equal(await run(mayGoOn), 1);
  assert.equal(await run(mayGoOn), 0);
  const left = await client.query("select from rejected_requests");
  assert.equal(left.rowCount, 9);
  for (const [table, ago] of [
    ["entries", 90],
    ["accepted_requests", 90],
    ["rejected_requests", 6],
  ] as const) {
    const text = "select drop_partitions($1, now() - $2::int * interval '1 day')";
    await assert.rejects(client.query(text, [table, ago]), /not to be dropped/);
  }
});

test("a table that somebody keeps locked is left to the next run, and the others get their partitions", async () => {
  await dropAll();
  await client.query("begin; lock table entries in share update exclusive mode");
  // Far more pages than the other tables need.
  let pages = 0;
  assert.ok((await makeEach(7 * day).run(async () => (pages += 1) < 80)) > 0);
  await client.query("rollback");
  for (const table of partitionedTables) {
    if (table === "entries") assert.deepEqual(await partitionsOf(table), []);
    else assertAhead(await partitionsOf(table), 7 * day);
  }
  await makeEach(7 * day).run(mayGoOn);
  assertAhead(await partitionsOf("entries"), 7 * day);
});

test("a run that finds a period to come locked gives it up after a few tries", async () => {
  const last = (await partitionsOf("entries")).at(-1)?.name;
  await client.query(`drop table ${last}`);
  await client.query("begin; lock table entries in share update exclusive mode");
  let pages = 0;
  await makeEach(7 * day).run(async () => (pages += 1) < 1_000);
  await client.query("rollback");
  assert.ok(pages < 40, `${pages} pages`);
});

test("a default partition that somebody keeps locked fails the run, once the other tables have theirs", async () => {
  await dropAll();
  // Autovacuum yields only to what waits for a second; a partition is given up after 100 ms.
  await client.query("alter table entries_default set (autovacuum_enabled = off)");
  await client.query("begin; lock table entries_default in access exclusive mode");
  let tries = 0;
  await assert.rejects(
    makeEach(7 * day).run(async () => (tries += 1) < 400),
    { code: "55P03" },
  );
  await client.query("rollback");
  for (const table of partitionedTables) {
    if (table !== "entries") assertAhead(await partitionsOf(table), 7 * day);
  }
  let pages = 0;
  let held: readonly unknown[] = [];
  await makeEach(7 * day).run(async () => {
    pages += 1;
    if (pages === 200) held = await locksOfEntries();
    return pages < 200;
  });
  assert.ok(pages < 200, `still locked: ${JSON.stringify(held)}`);
  assertAhead(await partitionsOf("entries"), 7 * day);
});

/** Locks that others have on the table of entries or its default partition. */
async function locksOfEntries(): Promise<readonly unknown[]> {
  const { rows } = await client.query(
    `select backend_type, state, mode, left(query, 80) as query from pg_locks join pg_stat_activity using (pid)
      where relation in ('entries'::regclass, 'entries_default'::regclass) and granted and pid <> pg_backend_pid()`,
  );
  return rows;
}
