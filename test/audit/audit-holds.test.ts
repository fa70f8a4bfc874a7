// Each check of the audit that is about holds is proven alive: a database is spoiled on purpose, as its owner with the
// limits off, and exactly the findings that follow from it are expected.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { runAudit } from "../../packages/server/src/admin/audit/audit.ts";
import { copyDatabase } from "../support/database/copy-database.ts";
import { createHoldFixture } from "../support/hold-fixture.ts";
import { spoilRows, withClient } from "../support/database/with-client.ts";

const original = await createHoldFixture();
after(() => original[Symbol.asyncDispose]());

const limitsOff = [
  ...["algebra", "refunded", "open"].map((name) => `alter table holds drop constraint holds_${name}`),
  ...["refunded", "capture"].map((name) => `alter table hold_events drop constraint hold_events_${name}`),
];

async function findingsOf(url: string, sliceRows: number): Promise<readonly string[]> {
  const { findings } = await runAudit(url, { sliceRows });
  const texts = findings.map(({ check, expected, found }) => `${check}: ${expected} / ${found}`);
  // A key is a hash of random ids.
  return texts.map((text) => text.replace(/^numberHasRecord: .*/, "numberHasRecord: other")).toSorted();
}

const open = "(select id from holds where is_open)";
const ended = "(select id from holds where held = 3000)";
const moved = `insert into closed_holds select *, now() from holds where id = ${ended}`;
const commandOf = (sequence: number) =>
  `(select command_id from hold_events where hold_id = ${open} and sequence = ${sequence})`;
const openEvents = "captured 3000, voided 500, expired 0, refunded 1500 in";
const sums = "3000 captured, 500 voided, 0 expired";

/** Faults with their statements, and every finding they must lead to: `check: expected / found`. */
const faults: readonly (readonly [name: string, statements: readonly string[], findings: readonly string[]])[] = [
  [
    "money held that no hold holds",
    ["update accounts set held = held + 1 where account_no = '2001'"],
    ["heldMatchesHolds: 6500 / 6501"],
  ],
  [
    "a hold whose sums do not add up",
    [`update holds set remaining = 6400 where id = ${open}`, "update accounts set held = 6400 where held > 0"],
    [`holdAlgebra: 10000 held / ${sums}, 6400 remaining, 1500 refunded, open`],
  ],
  [
    "a hold that is closed with money left",
    [`update holds set is_open = false where id = ${open}`],
    [`holdAlgebra: 10000 held / ${sums}, 6500 remaining, 1500 refunded, closed`, "heldMatchesHolds: 0 / 6500"],
  ],
  [
    "a sum its events do not give",
    [`update holds set voided = 400, expired = 100 where id = ${open}`],
    [`holdMatchesEvents: ${openEvents} 5 events / captured 3000, voided 400, expired 100, refunded 1500 in 5 events`],
  ],
  [
    "an event that is gone",
    [`delete from hold_events where hold_id = ${open} and sequence = 3`],
    [
      `holdMatchesEvents: captured 3000, voided 0, expired 0, refunded 1500 in -1 events / ${openEvents} 5 events`,
      "recordHasEvents: 500 / 0",
    ],
  ],
  [
    "a capture of which more was given back than refunds took",
    [`update hold_events set refunded = 501 where hold_id = ${open} and sequence = 2`],
    ["captureMatchesRefunds: 500 / 501"],
  ],
  [
    "a refund that names no capture",
    [`update hold_events set capture_sequence = 3 where hold_id = ${open} and sequence = 5`],
    ["captureMatchesRefunds: 0 / 500", "captureMatchesRefunds: 500 / 0"],
  ],
  [
    "a hold between two currencies",
    ["update holds set currency = 'USD' where is_open"],
    ["holdHasAccounts: two accounts in USD / IDR and IDR", "paymentHasHold: 10000 IDR for SHOP / 10000 USD for SHOP"],
  ],
  [
    "a payment without its hold",
    [`delete from holds where id = ${ended}`],
    ["eventHasHold: a hold / none", "paymentHasHold: 3000 IDR for SHOP / no hold"],
  ],
  ["a hold that moved and is still there", [moved], ["holdIsInOneTable: holds or closed_holds / both"]],
  [
    "a hold that moved with another sum, and one that was lost on its way",
    [moved, `delete from holds where id = ${ended} or captured = 500`, "update closed_holds set refunded = 100"],
    [
      "eventHasHold: a hold / none",
      "holdMatchesEvents: captured 2500, voided 500, expired 0, refunded 0 in 2 events / captured 2500, voided 500, expired 0, refunded 100 in 2 events",
      "paymentHasHold: 5000 IDR for SHOP / no hold",
    ],
  ],
  [
    "a capture without its record",
    [`delete from accepted_requests where id = ${commandOf(1)}`],
    ["eventHasRecord: a capture / no record", "recordHasJournal: a record / capture of 1000 IDR from 2001 to 2002"],
  ],
  [
    "a void that is recorded as another call",
    [`update accepted_requests set service = 69 where id = ${commandOf(3)}`],
    [
      "eventHasRecord: a void or last capture / a record of service 69",
      "numberHasRecord: other",
      "recordHasJournal: refund of 500 IDR from  to  / no journal",
    ],
  ],
  [
    "a capture recorded with another amount",
    [`update accepted_requests set payload = replace(payload, '"10.00"', '"10.01"') where id = ${commandOf(1)}`],
    [
      "recordHasJournal: capture of 1001 IDR from 2001 to 2002 / capture of 1000 IDR from 2001 to 2002",
      "recordHasEvents: 1001 / 1000",
    ],
  ],
  [
    "a refund recorded as gone elsewhere",
    [
      `update accepted_requests set payload = replace(payload, '"to":"2001"', '"to":"2003"') where id = ${commandOf(4)}`,
    ],
    ["recordHasJournal: refund of 1500 IDR from 2002 to 2003 / refund of 1500 IDR from 2002 to 2001"],
  ],
];

for (const [name, statements, expected] of faults) {
  test(`the audit finds ${name}`, async () => {
    await using copy = await copyDatabase(original.ownerUrl);
    await spoilRows(copy.url, [...limitsOff, ...statements]);
    for (const sliceRows of [7, 20_000]) assert.deepEqual(await findingsOf(copy.url, sliceRows), expected.toSorted());
  });
}

test("an audit of the holds as they were finds nothing, in slices of any size", async () => {
  for (const sliceRows of [1, 2, 3, 20_000]) assert.deepEqual(await findingsOf(original.url, sliceRows), []);
});

test("the database itself rejects a hold whose sums do not add up, and a capture refunded beyond its amount", async () => {
  await using copy = await copyDatabase(original.ownerUrl);
  await withClient(copy.url, async (client) => {
    const rejects = (statement: string, constraint: string) =>
      assert.rejects(
        client.query(statement),
        (error: Error & { constraint?: string }) => error.constraint === constraint,
      );
    await rejects("update holds set captured = captured + 1 where is_open", "holds_algebra");
    await rejects("update holds set refunded = captured + 1 where is_open", "holds_refunded");
    await rejects("update holds set is_open = false where is_open", "holds_open");
    await rejects(
      "update holds set voided = held - captured + 1, remaining = -1, is_open = false where is_open",
      "holds_remaining_check",
    );
    await rejects("update hold_events set refunded = amount + 1 where kind = 1", "hold_events_refunded");
    await rejects("update hold_events set refunded = 1 where kind = 2", "hold_events_refunded");
  });
});
