// Each check of the audit is proven alive: a database is spoiled on purpose, as its owner with the triggers off, and
// exactly the findings that follow from it are expected.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { Client } from "pg";
import { type AuditOptions, runAudit } from "../../packages/server/src/admin/audit/audit.ts";
import { AdminError } from "../../packages/server/src/admin/result.ts";
import { startNode } from "../support/administration.ts";
import { createFixture, pay } from "../support/audit-fixture.ts";
import { copyDatabase } from "../support/database/copy-database.ts";
import { useDatabase } from "../support/database/database.ts";
import { spoilRows } from "../support/database/with-client.ts";

function spoil(url: string, statements: readonly string[]): Promise<void> {
  return spoilRows(url, ["alter table accounts drop constraint accounts_available", ...statements]);
}

async function findingsOf(url: string, options: AuditOptions = {}): Promise<readonly string[]> {
  const { ok, findings } = await runAudit(url, options);
  assert.equal(ok, findings.length === 0);
  return findings.map(({ check, expected, found }) => `${check}: ${expected} / ${found}`).toSorted();
}

const idOf = (accountNo: string) => `(select id from accounts where account_no = '${accountNo}')`;
const transferIds = "(select id from accepted_requests order by id limit 1)";

/** Faults with their statements, and every finding they must lead to: `check: expected / found`. */
const faults: readonly (readonly [name: string, statements: readonly string[], findings: readonly string[]])[] = [
  [
    "a balance that its entries do not give",
    [`update accounts set balance = balance + 1 where account_no = '1001'`],
    ["accountMatchesEntries: version 4, balance 97000 / version 4, balance 97001"],
  ],
  [
    "a version without its entry",
    [`update accounts set version = version + 1 where account_no = '1001'`],
    ["accountMatchesEntries: version 4, balance 97000 / version 5, balance 97000"],
  ],
  [
    "an available balance below the minimum",
    [`update accounts set minimum_balance = balance + 1 where account_no = '1001'`],
    ["availableNotBelowMinimum: at least 97001 available / 97000"],
  ],
  ["money held by nothing", [`update accounts set held = 5 where account_no = '1001'`], ["heldMatchesHolds: 0 / 5"]],
  [
    "less counted against a daily limit than left the account",
    [`update accounts set daily_debit_count = 2, daily_debit_total = 2000 where account_no = '1001'`],
    ["dailyUseNotBelowDebits: at least 3 debits of 3000 / 2 debits of 2000"],
  ],
  [
    "a last entry that is gone",
    [`delete from entries where account_id = ${idOf("1001")} and version = 4`],
    [
      "accountMatchesEntries: version 3, balance 98000 / version 4, balance 97000",
      "journalBalances: 0 IDR / 1000 IDR",
      "recordHasJournal: transfer of 1000 IDR from 1001 to 1002 / 1 entries",
    ],
  ],
  [
    "an entry in the middle that is gone",
    [`delete from entries where account_id = ${idOf("1001")} and version = 3`],
    [
      "entryChain: version 3 before it / none",
      "journalBalances: 0 IDR / 1000 IDR",
      "recordHasJournal: transfer of 1000 IDR from 1001 to 1002 / 1 entries",
    ],
  ],
  [
    "an entry of another amount",
    [`update entries set amount = -999 where account_id = ${idOf("1001")} and version = 2`],
    [
      "entryChain: balance 99001 / balance 99000",
      "journalBalances: 0 IDR / 1 IDR",
      "recordHasJournal: transfer of 1000 IDR from 1001 to 1002 / 2 entries",
    ],
  ],
  [
    "a first entry that does not start from nothing",
    [
      `update entries set balance_after = balance_after + 5 where account_id = ${idOf("1002")}`,
      `update accounts set balance = balance + 5 where account_no = '1002'`,
    ],
    ["entryChain: balance 100000 / balance 100005"],
  ],
  [
    "a journal between two currencies",
    [
      `update accounts set currency = 'USD' where account_no = '1002'`,
      "delete from acts",
      `delete from entries where journal_id not in (select id from accepted_requests) or journal_id <> ${transferIds}`,
      `update entries set version = 1, balance_after = amount`,
      `update entries set currency = 'USD' where account_id = ${idOf("1002")}`,
      `update accounts set version = 0, balance = 0 where purpose = 'funding'`,
      `update accounts set version = 1, balance = (select sum(amount) from entries where account_id = id), minimum_balance = null
        where purpose = 'customer'`,
      `delete from accepted_requests where id <> ${transferIds}`,
    ],
    [
      "actMovedAsApproved: 1001 100000 IDR, funding:IDR -100000 IDR / nothing",
      "actMovedAsApproved: 1002 100000 IDR, funding:IDR -100000 IDR / nothing",
      "journalBalances: 0 IDR / -1000 IDR",
      "journalBalances: 0 USD / 1000 USD",
      "recordHasJournal: transfer of 1000 IDR from 1001 to 1002 / transfer of 1000 USD from 1001 to 1002",
    ],
  ],
  [
    "an entry in another currency than its account's",
    [`update entries set currency = 'USD' where account_id = ${idOf("1001")} and version = 2`],
    ["entryHasAccount: an account in USD / one in IDR"],
  ],
  [
    "an entry of an account that is not there",
    [`delete from accounts where purpose = 'funding'`],
    [
      "entryHasAccount: an account in IDR / none",
      "entryHasAccount: an account in IDR / none",
      "journalBalances: 0 IDR / 100000 IDR",
      "journalBalances: 0 IDR / 100000 IDR",
      "journalHasOrigin: opening: 1001 100000 IDR, funding:IDR -100000 IDR / opening:  -100000 IDR, 1001 100000 IDR",
      "journalHasOrigin: opening: 1002 100000 IDR, funding:IDR -100000 IDR / opening:  -100000 IDR, 1002 100000 IDR",
    ],
  ],
  [
    "a transfer's record without its journal",
    [`update entries set kind = 1 where journal_id = ${transferIds}`],
    [
      "journalHasOrigin: an act / opening: 1001 -1000 IDR, 1002 1000 IDR",
      "recordHasJournal: transfer of 1000 IDR from 1001 to 1002 / no journal",
    ],
  ],
  [
    "an opening balance that nobody ordered",
    ["delete from acts where entries like '1001 %'"],
    [
      "actMovedAsApproved: 1001 100000 IDR, funding:IDR -100000 IDR / nothing",
      "journalHasOrigin: an act / opening: 1001 100000 IDR, funding:IDR -100000 IDR",
    ],
  ],
  [
    "an act that moved nothing",
    ["update acts set journal_id = '00000000-0000-7000-8000-00000000000d' where entries like '1002 %'"],
    [
      "actMovedAsApproved: 1002 100000 IDR, funding:IDR -100000 IDR / 1002 100000 IDR, funding:IDR -100000 IDR, in another journal",
      "journalHasOrigin: opening: 1002 100000 IDR, funding:IDR -100000 IDR / no journal",
      "journalHasOrigin: an act / opening: 1002 100000 IDR, funding:IDR -100000 IDR",
    ],
  ],
  [
    "a transfer's journal without its record",
    [`delete from accepted_requests where id = ${transferIds}`],
    ["recordHasJournal: a record / transfer of 1000 IDR from 1001 to 1002"],
  ],
  [
    "a record that tells of another amount",
    [`update accepted_requests set payload = replace(payload, '"10.00"', '"10.01"') where id = ${transferIds}`],
    ["recordHasJournal: transfer of 1001 IDR from 1001 to 1002 / transfer of 1000 IDR from 1001 to 1002"],
  ],
  [
    "a record that tells of other accounts",
    [`update accepted_requests set payload = replace(payload, '"1002"', '"1003"') where id = ${transferIds}`],
    ["recordHasJournal: transfer of 1000 IDR from 1001 to 1003 / transfer of 1000 IDR from 1001 to 1002"],
  ],
  [
    "a record that cannot be read, beside one that is wrong",
    [
      `update accepted_requests set payload = replace(payload, '"10.00"', '"10.01"')`,
      `update accepted_requests set payload = 'gone' where id = ${transferIds}`,
    ],
    [
      "recordReadable: JSON / other text",
      "recordHasJournal: transfer of 1001 IDR from 1001 to 1002 / transfer of 1000 IDR from 1001 to 1002",
      "recordHasJournal: transfer of 1001 IDR from 1001 to 1002 / transfer of 1000 IDR from 1001 to 1002",
    ],
  ],
  [
    "records that are JSON and that PostgreSQL cannot hold",
    [
      `update accepted_requests set payload = replace(payload, '"request"', '"other":1e999999,"request"') where id = ${transferIds}`,
      `update accepted_requests set payload = replace(payload, '"request"', '"other":"\\u0000","other":1e-20000,"request"') where id = (
        select id from accepted_requests order by id desc limit 1)`,
    ],
    ["recordReadable: JSON / other text", "recordReadable: JSON / other text"],
  ],
  [
    "an external id that leads elsewhere",
    [
      `update accepted_requests set external_id = 'other', external_id_key = '00000000-0000-0000-0000-00000000000a' where id = ${transferIds}`,
    ],
    ["externalIdHasRecord: other to it / 00000000-0000-0000-0000-00000000000a to none"],
  ],
  [
    "a number that leads elsewhere",
    [
      `update accepted_requests set partner_reference_key = '00000000-0000-0000-0000-00000000000b' where id = ${transferIds}`,
    ],
    ["numberHasRecord: other to it / 00000000-0000-0000-0000-00000000000b to none"],
  ],
  [
    "an external id given up for nobody",
    [`delete from request_keys where key < '80000000-0000-0000-0000-000000000000' and request_id = ${transferIds}`],
    ["externalIdHasRecord: other to it / other to none"],
  ],
  [
    "nothing in an external id given up when its time was over",
    [
      `delete from request_keys where key < '80000000-0000-0000-0000-000000000000' and request_id = ${transferIds}`,
      `insert into service_state (name, value) select 'external_ids_released', to_json(${transferIds})`,
    ],
    [],
  ],
  [
    "a number given up",
    [`delete from request_keys where key >= '80000000-0000-0000-0000-000000000000' and request_id = ${transferIds}`],
    ["numberHasRecord: other to it / other to none"],
  ],
  [
    "a number that leads to another request",
    [
      `update request_keys set request_id = '00000000-0000-0000-0000-00000000000c'
        where key >= '80000000-0000-0000-0000-000000000000' and request_id = ${transferIds}`,
    ],
    ["numberHasRecord: other to it / other to 00000000-0000-0000-0000-00000000000c"],
  ],
  [
    "a rejection that moved money",
    [`update rejected_requests set id = ${transferIds}`],
    ["rejectionHasNoEffect: neither record nor journal / one of them"],
  ],
];

const original = await createFixture();
await original.leave();
after(() => original[Symbol.asyncDispose]());

for (const [name, statements, expected] of faults) {
  test(`the audit finds ${name}`, async () => {
    await using copy = await copyDatabase(original.ownerUrl);
    await spoil(copy.url, statements);
    for (const sliceRows of [7, 20_000]) {
      const findings = await findingsOf(copy.url, { sliceRows });
      // The key itself is a hash of random ids.
      const named = findings.map((text) => text.replaceAll(/(?!0{8})[0-9a-f]{8}-[0-9a-f-]{27}/g, "other"));
      assert.deepEqual(named, expected.toSorted());
    }
  });
}

test("an audit of the ledger as it was finds nothing, in slices of any size", async () => {
  for (const sliceRows of [1, 2, 3, 7, 20_000]) assert.deepEqual(await findingsOf(original.url, { sliceRows }), []);
});

test("an empty ledger is in order", async () => {
  await using database = await useDatabase();
  assert.deepEqual(await runAudit(database.url), { ok: true, findings: [] });
});

test("findings are bounded, and the audit ends when there are enough", async () => {
  await using copy = await copyDatabase(original.ownerUrl);
  await spoil(copy.url, ["update accounts set held = 1", "update entries set balance_after = balance_after + 1"]);
  const { findings } = await runAudit(copy.url, { findingsMax: 2 });
  assert.equal(findings.length, 2);
});

test("the audit finds nothing while two nodes move money, and a reused external id is in order", async () => {
  await using fixture = await createFixture();
  await using other = await startNode(fixture.url);
  await other.refresh();
  const { node, partner } = fixture;
  const auditsWanted = 4;
  let audits = 0;
  const load = [node, other].flatMap((by) =>
    Array.from({ length: 16 }, async (_, pipeline) => {
      for (let count = 0; audits < auditsWanted && count < 10_000; count += 1) {
        const [from, to] = pipeline % 2 === 0 ? (["1001", "1002"] as const) : (["1002", "1001"] as const);
        await pay(by, partner, { from, to, value: "0.01", externalId: `${pipeline} ${count}` });
      }
    }),
  );
  for (; audits < auditsWanted; audits += 1) assert.deepEqual(await findingsOf(fixture.url, { sliceRows: 1_000 }), []);
  await Promise.all(load);
  node.clock.setOffset(2 * 86_400_000);
  assert.equal(await pay(node, partner, { from: "1001", to: "1002", value: "1", externalId: "0 0" }), "success");
  assert.deepEqual(await findingsOf(fixture.url), []);
});

test("no statement runs over 2 s: an audit that cannot read in time ends with an error", async () => {
  const blocker = new Client({ connectionString: original.ownerUrl });
  await blocker.connect();
  try {
    await blocker.query("begin; lock table entries in access exclusive mode");
    const startedAt = performance.now();
    await assert.rejects(runAudit(original.url, { sliceRows: 200 }), AdminError);
    const tookMs = performance.now() - startedAt;
    assert.ok(tookMs > 3_900 && tookMs < 10_000, `two slices of 2 s took ${tookMs} ms`);
  } finally {
    await blocker.end();
  }
});
