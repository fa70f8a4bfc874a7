// Each check of the audit that is about transfers over rails is proven alive: a database is spoiled on purpose, as its
// owner with the limits off, and exactly the findings that follow from it are expected.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { Client, DatabaseError } from "pg";
import { runAudit } from "../src/admin/audit.ts";
import { copyDatabase } from "./support/copy-database.ts";
import { createRailScene } from "./support/rail-scene.ts";

const original = await createRailScene();
after(() => original[Symbol.asyncDispose]());

async function spoil(url: string, statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    for (const name of ["open", "ended", "returned", "ended_by", "returned_by"]) {
      await client.query(`alter table transfers drop constraint transfers_${name}`);
    }
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

async function findingsOf(url: string, sliceRows: number): Promise<readonly string[]> {
  const { findings } = await runAudit(url, { sliceRows });
  return findings.map(({ check, expected, found }) => `${check}: ${expected} / ${found}`).toSorted();
}

const of = (service: number, travels: number) => `service = ${service} and travels = ${travels}`;
const settled = of(18, 1_000);

/** What was spoiled, how, and every finding it must lead to: `check: expected / found`. */
const faults: readonly (readonly [name: string, statements: readonly string[], findings: readonly string[]])[] = [
  [
    "a transfer that waits for nothing that is set aside",
    [`update transfers set travels = travels + 1 where is_open`],
    ["suspenseMatchesTransfers: 253001 / 253000"],
  ],
  [
    "a transfer forgotten while its money waits",
    [`update transfers set is_open = false where is_open`],
    ["suspenseMatchesTransfers: 0 / 253000"],
  ],
  [
    "a settlement of another amount than was sent",
    [`update transfers set travels = travels + 1 where ${settled}`],
    [
      "transferEndHasJournal: settled 1001, fee 250000, given back 0, returned 0 / settled 1000, fee 250000, given back 0, returned 0",
    ],
  ],
  [
    "a refusal that gave back less than it took",
    [`update transfers set fee = fee + 1 where ${of(23, 5_000)}`],
    [
      "transferEndHasJournal: settled 0, fee 0, given back 295001, returned 0 / settled 0, fee 0, given back 295000, returned 0",
    ],
  ],
  [
    "an end that is none of the transfer's",
    [`update transfers set end_journal = null where ${settled}`],
    ["transferEndHasJournal: no end / settled 1000, fee 250000, given back 0, returned 0"],
  ],
  [
    "a transfer without its record",
    [`delete from writes where id = (select id from transfers where is_open)`],
    [
      "recordHasJournal: a record / submission of 253000 IDR from 3001 to suspense:interbank:IDR",
      "transferHasRecord: a record / service 18",
    ],
  ],
  [
    "a record of another service than its transfer",
    [`update transfers set service = 22 where ${settled}`],
    ["resultIsTold: 00 by 76 / nothing", "transferHasRecord: service 18 / service 22"],
  ],
  [
    "an end by nobody's word",
    [`update transfers set ended_by = null where ${settled}`],
    ["transferHasWord: a word for its end / ended by nobody, returned by nobody"],
  ],
  [
    "a word on what awaits its result",
    [`update transfers set ended_by = 'operator' where is_open`],
    ["transferHasWord: no word / ended by operator, returned by nobody"],
  ],
  [
    "a word for the return of what did not come back",
    [`update transfers set returned_by = 'rail' where ${settled}`],
    ["transferHasWord: a word for its end / ended by rail, returned by rail"],
  ],
  [
    "words that are nobody's",
    [`update transfers set ended_by = 'timer', returned_by = 'timer' where state = 'returned'`],
    ["transferHasWord: a word for its end, and one for its return / ended by timer, returned by timer"],
  ],
  [
    "a day of which nothing was counted",
    ["update accounts set use_count = 0, use_total = 0 where account_no = '3001'"],
    ["dailyUseNotBelowDebits: at least 4 debits of 20000008000 / 0 debits of 0"],
  ],
  ["a result that nobody is told", [`delete from outbox where status = '06'`], ["resultIsTold: 06 by 75 / nothing"]],
  [
    "a partner told of what did not happen",
    [`update outbox set status = '06' where status = '04'`],
    ["resultIsTold: 04 by 76 / nothing", "resultIsTold: nothing / 06 by 76"],
  ],
  [
    "an external id that was given up for none",
    [`update writes set external_key = null where id = (select id from transfers where ${of(18, 2_000)})`],
    ["externalIdHasRecord: other / none"],
  ],
  [
    "a refusal beside what was accepted",
    [
      `insert into refusals (id, partner, service, external_key, number_key, signature_key, kind, layout, facts, at)
        select id, partner, service, id, id, id, 'rejectedByRail', 1, '{}', at from transfers where ${of(18, 2_000)}`,
    ],
    ["refusalHasNoEffect: neither record nor journal / one of them"],
  ],
];

for (const [name, statements, expected] of faults) {
  test(`the audit finds ${name}`, async () => {
    await using copy = await copyDatabase(original.url);
    await spoil(copy.url, statements);
    for (const sliceRows of [2, 20_000]) {
      const findings = await findingsOf(copy.url, sliceRows);
      const named = findings.map((text) => text.replace(/externalIdHasRecord: \S+/, "externalIdHasRecord: other"));
      assert.deepEqual(named, expected.toSorted());
    }
  });
}

test("an audit of the transfers as they were finds nothing, in slices of any size", async () => {
  for (const sliceRows of [1, 2, 3, 20_000]) assert.deepEqual(await findingsOf(original.url, sliceRows), []);
});

test("a return of before its word was recorded is no finding", async () => {
  await using copy = await copyDatabase(original.url);
  await spoil(copy.url, [`update transfers set returned_by = null where state = 'returned'`]);
  assert.deepEqual(await findingsOf(copy.url, 20_000), []);
});

test("the database itself refuses a word that is nobody's, or not due yet", async () => {
  await using copy = await copyDatabase(original.url);
  const client = new Client({ connectionString: copy.url });
  await client.connect();
  try {
    const refused = [
      ["ended_by", "set ended_by = null where not is_open"],
      ["ended_by", "set ended_by = 'rail' where is_open"],
      ["ended_by", "set ended_by = 'timer' where not is_open"],
      ["returned_by", "set returned_by = 'operator' where state = 'settled'"],
      ["returned_by", "set returned_by = 'timer' where state = 'returned'"],
    ] as const;
    for (const [name, change] of refused) {
      const isRefused = (error: unknown) => error instanceof DatabaseError && error.constraint === `transfers_${name}`;
      await assert.rejects(client.query(`update transfers ${change}`), isRefused, change);
    }
  } finally {
    await client.end();
  }
});
