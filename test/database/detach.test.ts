/** Old partitions are put away and back: nothing is lost, what is left is audited, and nothing in them runs again. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, test } from "node:test";
import { type AuditOptions, runAudit } from "../../packages/server/src/admin/audit/audit.ts";
import { listEntries } from "../../packages/server/src/views/accounts/accounts.ts";
import { listNewestTransfers } from "../../packages/server/src/views/transfers/newest-transfers.ts";
import { attachPartition, detachPartitions, listPartitions } from "../../packages/server/src/admin/partitions.ts";
import { createReleaseExternalIds } from "../../packages/server/src/jobs/release-external-ids.ts";
import { createClock } from "../../packages/server/src/basics/clock.ts";
import { idAt, toReferenceNo } from "../../packages/server/src/basics/ids.ts";
import { openAuditSession } from "../../packages/server/src/store/audit/session.ts";
import { makePartition } from "../../packages/server/src/store/partitions/partitions.ts";
import { findAcceptedRequest } from "../../packages/server/src/store/reads/accepted-requests.ts";
import { forkNode, type ForkedNode } from "../engine/fork-node.ts";
import type { Transfer } from "../engine/transfers.ts";
import { runCli } from "../support/cli/run-cli.ts";
import { useJobDatabase } from "../support/database/job-database.ts";
import { useJobRoles } from "../support/database/job-roles.ts";
import { queryRows, spoilRows } from "../support/database/with-client.ts";
import { insertRow } from "../support/database/valid-rows.ts";
import { fillLedger } from "../support/database/large-ledger.ts";
import { newProviderKey } from "../support/provider-key.ts";
import { mayGoOn } from "../support/run-job.ts";

const database = await useJobDatabase();
const { pool, client } = database;
const roles = await useJobRoles(database.ownerUrl);
const clock = createClock();
const day = 86_400_000;
const accounts = 20;
const providerKey = newProviderKey();
const partner = "00000000-0000-7000-8000-000000000001";
/** Two periods to be detached, and one between them and now. */
const [first = 0, second = 0, third = 0] = [210, 203, 120].map((ago) => Math.floor(Date.now() / day - ago) * day);
let node: ForkedNode;

before(async () => {
  for (const from of [first, second, third]) {
    for (const table of ["entries", "accepted_requests"] as const) {
      assert.ok(await makePartition(pool, table, { from, to: from + 7 * day }));
    }
  }
  const starts = [first, second, third, Date.now() - 9 * day];
  for (const [position, startMs] of starts.entries()) {
    await fillLedger(database.ownerUrl, { after: position * 50, transfers: 50, accounts, startMs: startMs + 1_000 });
  }
  node = await forkNode(database.url);
});
after(async () => {
  await node.close();
  await roles.drop();
  await database.drop();
});

const audit = async (options: AuditOptions) => {
  let uncheckedUntil: number | undefined;
  const { findings } = await runAudit(roles.auditUrl, { ...options, onDetached: (until) => (uncheckedUntil = until) });
  return { findings: findings.map(({ check }) => check), uncheckedUntil };
};
const until = second + 8 * day;
const nameOf = (table: string, from: number) =>
  `${table}_${new Date(from).toISOString().slice(0, 10).replaceAll("-", "")}`;
const ofFirst = [nameOf("entries", first), nameOf("accepted_requests", first)];
const record = (name = "name") =>
  `json_build_object('name', ${name}, 'parent', parent, 'from', from_id, 'to', to_id, 'isListed', true)::text`;
const listed = `json_build_object('signature', 'x', 'list',
  json_object_agg(name, encode(sha256(convert_to(${record()}, 'UTF8')), 'hex'))::text)`;
/** By the function alone, as the role of jobs. */
const detachDirectly = (names: readonly string[], { records = record(), list = listed } = {}) =>
  queryRows(
    roles.jobUrl,
    `select detach_partitions(array_agg(name), array_agg(${records}), array_agg('x'::text), ${list})
      from partitions where name = any('{${names.join()}}')`,
  );
const count = async (table: string) => (await client.query(`select from ${table}`)).rowCount;
const repeat = async (n: number): Promise<string> => {
  const transfer: Transfer = {
    partner,
    from: "0000000001",
    to: "0000000000",
    amount: 100n,
    externalId: `later-${n}-${Math.random()}`,
    number: `N${n}`,
  };
  const answer = await node.submit(transfer);
  if (answer.kind !== "repeat") return answer.kind;
  return answer.original.isDetached === true ? `${answer.repeat}, detached` : answer.repeat;
};

test("nothing is detached before an audit has gone so far, ids are given up, and all of the time is final", async () => {
  const { obstacles } = await detachPartitions(roles.jobUrl, until, providerKey);
  assert.match(obstacles.join(), /no clean audit.*external ids/);
  assert.match((await detachPartitions(roles.jobUrl, Date.now(), providerKey)).obstacles.join(), /the last 90 days/);
  await createReleaseExternalIds({ pool, clock, keepMs: 7 * day, idempotencyWindowMs: day }).run(mayGoOn);
  assert.deepEqual(await audit({ watermark: "renew" }), { findings: [], uncheckedUntil: undefined });
  const tables = ["transfers", "bulks", "payment_requests", "holds"] as const;
  for (const table of tables) await insertRow(client, table, { id: idAt(first) });
  assert.deepEqual(
    (await detachPartitions(roles.jobUrl, until, providerKey)).obstacles,
    tables.map((table) => `1 ${table.replace("_", " ")} of that time are open`),
  );
  await assert.rejects(detachDirectly(ofFirst), /1 transfers of that time are open, 1 bulks.*, 1 payment.*, 1 holds/);
  await spoilRows(database.ownerUrl, [`truncate ${tables.join()}`]);
  assert.equal(await count("entries"), 400);
});

test("the role of jobs, by the function alone, detaches no half of a period, and nothing without its record in the list", async () => {
  await assert.rejects(detachDirectly(ofFirst.slice(0, 1)), /are detached together/);
  await assert.rejects(detachDirectly(ofFirst, { records: record("'another'") }), /no record of/);
  for (const list of [`'{"list":"{}","signature":"x"}'`, `'{}'`, "null"])
    await assert.rejects(detachDirectly(ofFirst, { list }), /the list is not of what is detached/);
  assert.equal(await count("entries"), 400);
  assert.equal(await count("detached_balances"), 0);
});

test("what is detached is gone from the tables and nowhere else; the audit goes on from its balances", async () => {
  const { detached, obstacles } = await detachPartitions(roles.jobUrl, until, providerKey);
  assert.deepEqual(obstacles, []);
  assert.equal(detached.length, 4);
  assert.equal(await count("entries"), 200);
  assert.equal(await count("accepted_requests"), 100);
  const put = (await listPartitions(roles.auditUrl)).filter(({ isAttached }) => !isAttached);
  assert.deepEqual(put.map(({ name }) => name).toSorted(), detached.toSorted());
  const clean = { findings: [], uncheckedUntil: second + 7 * day };
  assert.deepEqual(await audit({}), clean);
  assert.deepEqual(await audit({ watermark: "use", lateCommitMs: 0 }), clean);
  const { rows } = await client.query(
    "select account_id, version from entries order by journal_id, account_id limit 1",
  );
  const change = (by: number) =>
    spoilRows(database.ownerUrl, [
      `update entries set balance_after = balance_after + ${by} where account_id = '${rows[0]?.account_id}' and version = ${rows[0]?.version}`,
    ]);
  await change(7);
  assert.ok((await audit({})).findings.includes("entryChain"));
  await change(-7);
  assert.deepEqual(await audit({}), clean);
});

test("a repeat of what is detached finds its number taken and moves nothing, and an inquiry is not told that there is nothing", async () => {
  assert.equal(await repeat(3), "numberTaken, detached");
  assert.equal(await repeat(103), "numberTaken");
  const { rows } = await client.query(
    "select request_id from request_keys where not exists (select from accepted_requests where id = request_id)",
  );
  const references = { partner, service: 17, externalIdKey: undefined, partnerReferenceKey: undefined };
  await assert.rejects(
    findAcceptedRequest(pool, { ...references, id: rows[0]?.request_id }),
    /titian database attach accepted_requests_/,
  );
});

const titian = (...args: readonly string[]) =>
  runCli(args, {
    env: {
      DATABASE_URL: database.ownerUrl,
      TITIAN_MASTER_KEY: randomBytes(32).toString("base64"),
      TITIAN_PROVIDER_KEY: providerKey,
      TITIAN_SANDBOX: "0",
    },
  });

test("the commands say what is detached, what a number needs, and why nothing more goes", async () => {
  const { stdout: list } = await titian("database", "partitions");
  assert.match(list, /^entries +entries_\d{8} .* detached$/m);
  assert.match(list, /^entries +entries_default .* attached$/m);
  const rows: readonly { readonly isAttached: boolean }[] = JSON.parse(
    (await titian("database", "partitions", "--json")).stdout,
  );
  assert.equal(rows.filter((row) => !row.isAttached).length, 4);

  const account = await listEntries({ pool }, "0000000001", { limit: 50 });
  const versions = account?.entries.map(({ version }) => version) ?? [];
  const [gap, ...more] = account?.gaps ?? [];
  assert.deepEqual([gap?.first, gap?.last, more, account?.next], [1, Math.min(...versions) - 1, [], undefined]);
  const { stderr: named } = await titian("account", "entries", "0000000001");
  assert.match(named, new RegExp(`Entries 1 to ${gap?.last} of the account are in detached partitions`));

  const queries = { pool, clock, reference: { current: () => ({ partners: new Map() }) } as never };
  const detachedAt = async (ms?: number) =>
    (
      await listNewestTransfers(queries, {
        before: ms === undefined ? undefined : toReferenceNo(idAt(ms)),
        limit: 50,
      })
    ).detached;
  assert.deepEqual(await detachedAt(), []);
  assert.match((await detachedAt(third)).join(), /^accepted_requests_\d{8},accepted_requests_\d{8}$/);
  const start = toReferenceNo(idAt(third));
  const ofToday = await listNewestTransfers(queries, { before: start, limit: 50, filter: { from: Date.now() } });
  assert.deepEqual(ofToday.detached, [], "the days asked for are in none");

  const { rows: keys } = await client.query(
    "select request_id from request_keys where not exists (select from accepted_requests where id = request_id)",
  );
  const shown = await titian("transfer", "show", toReferenceNo(keys[0]?.request_id));
  assert.equal(shown.exitCode, 1);
  assert.match(
    shown.stderr,
    /in the partition accepted_requests_\d{8}, which is detached\. Attach it: titian database attach accepted_/,
  );

  const today = new Date().toISOString().slice(0, 10);
  const refused = await titian("database", "detach", "--before", today, "--yes");
  assert.equal(refused.exitCode, 1);
  assert.match(refused.stderr, /Nothing was detached: the last 90 days stay attached/);
  assert.equal((await titian("database", "detach", "--before", "soon", "--yes")).exitCode, 2);
  assert.equal((await titian("database", "attach", "entries_19990101")).exitCode, 1);
});

test("what was changed while it was detached does not come back, nor by another key, and what is attached by hand is found", async () => {
  const { rows } = await client.query<{ name: string; from: string; to: string }>(
    `select name, from_id as "from", to_id as "to" from detached_partitions where parent = 'accepted_requests' order by 1`,
  );
  const { name, from, to } = rows[0] ?? assert.fail();
  const attach = (key = providerKey) => attachPartition(database.ownerUrl, name, key);
  const change = (sign: "+" | "-") =>
    spoilRows(database.ownerUrl, [
      `update ${name} set accepted_at = accepted_at ${sign} interval '1 s' where ctid = (select max(ctid) from ${name})`,
    ]);
  await assert.rejects(attach(newProviderKey()), /another text, or was signed with another key/);
  await change("+");
  await assert.rejects(attach(), new RegExp(`${name} is not what was detached: 50 rows, .*, and it was 50 rows, `));
  await change("-");
  await assert.rejects(client.query(`update ${name} set payload = '{}'`), /never changed/);
  await client.query(`alter table accepted_requests attach partition ${name} for values from ('${from}') to ('${to}')`);
  assert.deepEqual((await audit({})).findings, ["detachedPartition"]);
  await client.query(`alter table accepted_requests detach partition ${name}`);
  assert.deepEqual((await audit({ watermark: "renew" })).findings, []);
});

/** Beside an audit of everything, which has read what is detached and waits for a lock. */
async function whileAuditRuns(work: () => Promise<unknown>): Promise<void> {
  const begun = Promise.withResolvers<unknown>();
  await client.query("begin; lock table holds in access exclusive mode");
  const running = Promise.allSettled([runAudit(database.url, { watermark: "renew", onDetached: begun.resolve })]);
  await begun.promise;
  await work();
  await client.query("commit");
  const [ended] = await running;
  if (ended.status === "rejected") throw ended.reason;
}

/** As a release left it that kept neither acts nor records: one opening in the period. */
const spoilAsEarlierRelease = (partition: string) =>
  spoilRows(database.ownerUrl, [
    "update detached_partitions set record = null, signature = null",
    "delete from service_state where name = 'detached_partitions'",
    `insert into accounts (id, account_no, name, currency, purpose, type, status, opened_at, version, balance)
      select id_at(now() + n * interval '1 s'), '99' || n, 'Opened', 'IDR', 'customer', 'S', 'active', now(), 1, n
      from (values (-7), (7)) v (n)`,
    `insert into ${partition} (account_id, version, journal_id, kind, currency, amount, balance_after, created_at)
      select id, 1, '${idAt(first + 5_000)}', 1, 'IDR', balance, balance, '${new Date(first + 5_000).toISOString()}'
      from accounts where name = 'Opened'`,
  ]);

test("attached again it is all there, and repeats are answered from it", async () => {
  const names = (await listPartitions(roles.auditUrl)).filter(({ isAttached }) => !isAttached).map(({ name }) => name);
  await assert.rejects(
    attachPartition(database.ownerUrl, "entries_19990101", providerKey),
    /no partition entries_19990101 is detached/,
  );
  let entries = 0;
  const onProgress: AuditOptions["onProgress"] = ({ rows: read }) => (entries += read);
  // Numbers that came back are read, also while a later period stays away.
  const read: number[] = [];
  const [earlier = "", later = ""] = names.filter((one) => one.startsWith("entries")).toSorted();
  await using auditor = await openAuditSession(database.url);
  for (const name of [earlier, later]) {
    if (name === earlier) await spoilAsEarlierRelease(name);
    const attach = async () => assert.equal((await attachPartition(database.ownerUrl, name, providerKey)).length, 2);
    const found = await auditor.readWatermark();
    await assert.rejects(whileAuditRuns(attach), /detached or attached meanwhile: run it again/);
    // Nor does an audit that ends now keep how far it came.
    await auditor.keepWatermark(idAt(Date.now()), found);
    entries = 0;
    assert.deepEqual((await audit({ watermark: "use", onProgress })).findings, []);
    read.push(entries);
  }
  assert.deepEqual(read, [302, 300]);
  assert.equal(await count("entries"), 402);
  assert.equal(await count("acts"), 1);
  assert.deepEqual(await audit({}), { findings: [], uncheckedUntil: undefined });
  assert.equal(await repeat(3), "numberTaken");
  const { rows } = await client.query("select conname from pg_constraint where conname = 'in_period'");
  assert.deepEqual(rows, []);
});
