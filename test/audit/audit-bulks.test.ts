// Each check of the audit that is about bulks is proven alive: a database is spoiled on purpose, as its owner with the
// limits off, and exactly the findings that follow from it are expected.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { DatabaseError } from "pg";
import { type AuditOptions, runAudit } from "../../packages/server/src/admin/audit.ts";
import { resolveTransfer } from "../../packages/server/src/rails/commands/resolve-transfer.ts";
import { startNode } from "../support/administration.ts";
import { sendBulks } from "../support/bulk-fixture.ts";
import { copyDatabase } from "../support/database/copy-database.ts";
import { useDatabase } from "../support/database/database.ts";
import { runStatements, withClient } from "../support/database/with-client.ts";

const original = await useDatabase();
after(() => original.drop());
const node = await startNode(original.url);
const fixture = await sendBulks(node);
await node.close();

const limitsOff = [
  ...["counts", "open", "ended"].map((name) => `alter table bulks drop constraint bulks_${name}`),
  ...["transfers", "accepted_requests"].map((table) => `alter table ${table} disable trigger user`),
];
const bulk = (
  name: string,
) => `id = (select id from accepted_requests where payload::json #>> '{request,customerReference}' = '${name}'
  and payload::json ->> 'itemCount' is not null)`;
const item = (number: string) =>
  `id = (select id from accepted_requests where payload::json #>> '{request,partnerReferenceNo}' = '${number}')`;

async function findingsOf(url: string, options: AuditOptions): Promise<readonly string[]> {
  const { findings } = await runAudit(url, options);
  const withoutIds = (text: string) => text.replace(/[0-9a-f-]{36}/g, "id");
  return findings.map(({ check, expected, found }) => withoutIds(`${check}: ${expected} / ${found}`)).toSorted();
}

const waiting = "2 items up to position 1, amounts 1800, fees 500000, debited 501800";
const anItem = "service 20 over interbank, IDR from id by id, request id";
const ended = "3 settled, 1 returned, 1 rejected of 2000 with fees of 250000";
const unsent = "0 settled, 0 returned, 0 rejected of 0 with fees of 0";

/** What was spoiled, how, and every finding it must lead to: `check: expected / found`. */
const faults: readonly (readonly [name: string, statement: string, findings: readonly string[]])[] = [
  [
    "a bulk without its record",
    `delete from accepted_requests where ${bulk("OPEN")}`,
    [
      "bulkHasRecord: a record / 3 items from 5001, 2850000 IDR",
      "externalIdHasRecord: id / none",
      "externalIdHasRecord: id / none",
      "externalIdHasRecord: id / none",
      "recordHasJournal: a record / submission of 2400000 IDR from 5001 to suspense:interbank:IDR",
    ],
  ],
  [
    "a record without its bulk",
    `delete from bulks where ${bulk("WAITING")}`,
    [
      "bulkHasRecord: 2 items from 5001, 501800 IDR / no bulk",
      `itemHasBulk: a bulk / ${anItem}`,
      `itemHasBulk: a bulk / ${anItem}`,
    ],
  ],
  [
    "a bulk of more items than were requested",
    `update bulks set item_count = 3 where ${bulk("WAITING")}`,
    [
      `bulkHasItems: 3 items up to position 2, amounts 1800, fees 500000, debited 501800 / ${waiting}`,
      "bulkHasRecord: 2 items from 5001, 501800 IDR / 3 items from 5001, 501800 IDR",
      "dailyUseNotBelowDebits: at least 8 debits of 1309800 / 7 debits of 1309800",
    ],
  ],
  [
    "a bulk of another amount than was requested",
    `update bulks set amount = amount + 1 where ${bulk("WAITING")}`,
    [
      `bulkHasItems: 2 items up to position 1, amounts 1801, fees 500000, debited 501800 / ${waiting}`,
      "bulkHasRecord: 2 items from 5001, 501800 IDR / 2 items from 5001, 501801 IDR",
      "dailyUseNotBelowDebits: at least 7 debits of 1309801 / 7 debits of 1309800",
    ],
  ],
  [
    "a bulk of a fee that nobody paid",
    `update bulks set fee = 1000000 where ${bulk("OPEN")}`,
    [
      "bulkHasItems: 3 items up to position 2, amounts 2100000, fees 1000000, debited 2400000 / 3 items up to position 2, amounts 2100000, fees 750000, debited 2400000",
    ],
  ],
  [
    "a bulk without one of its items",
    `delete from transfers where ${item("WAITING-1")}`,
    [
      `bulkHasItems: ${waiting} / 1 items up to position 0, amounts 900, fees 250000, debited 250900`,
      "suspenseMatchesTransfers: 1050900 / 1301800",
      "transferHasRecord: service 20 / no transfer",
    ],
  ],
  [
    "an item at a position that does not exist",
    `update transfers set bulk_position = 2 where ${item("WAITING-1")}`,
    [`bulkHasItems: ${waiting} / 2 items up to position 2, amounts 1800, fees 500000, debited 501800`],
  ],
  [
    "an item of another partner than its bulk",
    `update transfers set partner = id where ${item("WAITING-1")}`,
    [`itemHasBulk: ${anItem} / ${anItem}`, "transferHasRecord: service 20 / service 20"],
  ],
  [
    "an item of another account than its bulk",
    `update transfers set source_account_id = (select id from accounts
      where account_no = 'fee:interbank:IDR') where ${item("ENDED-0")}`,
    [
      `itemHasBulk: ${anItem} / ${anItem}`,
      "transferFollowsRequest: 1000 IDR from 5001, 1000 sent of 251000 debited / 1000 IDR from fee:interbank:IDR, 1000 sent of 251000 debited",
    ],
  ],
  [
    "an item that another request asked for",
    `update accepted_requests set body_hash = id where ${item("ENDED-1")}`,
    [`itemHasBulk: ${anItem} / ${anItem}`],
  ],
  [
    "an item without a bulk",
    `update transfers set bulk_id = null, bulk_position = null, next_inquiry_at = now() where ${item("WAITING-1")}`,
    [
      `bulkHasItems: ${waiting} / 1 items up to position 0, amounts 900, fees 250000, debited 250900`,
      `itemHasBulk: a bulk / ${anItem}`,
    ],
  ],
  [
    "an item that sends more than was requested",
    `update transfers set amount = amount + 1, fee = fee - 1 where ${item("WAITING-0")}`,
    [
      `bulkHasItems: ${waiting} / 2 items up to position 1, amounts 1800, fees 499999, debited 501800`,
      "transferFollowsRequest: 900 IDR from 5001, 901 sent of 250900 debited / 901 IDR from 5001, 901 sent of 250900 debited",
    ],
  ],
  [
    "an item that sends more than was requested, its fee shared",
    `update transfers set amount = 700001, fee = 99999 where ${item("OPEN-1")}`,
    [
      "bulkHasItems: 3 items up to position 2, amounts 2100000, fees 750000, debited 2400000 / 3 items up to position 2, amounts 2100000, fees 599999, debited 2400000",
      "transferFollowsRequest: 700000 IDR from 5001, 700001 sent of 800000 debited / 700001 IDR from 5001, 700001 sent of 800000 debited",
    ],
  ],
  [
    "an item that counts less than was requested",
    `update transfers set daily_limit_amount = 899 where ${item("WAITING-0")}`,
    [
      `bulkHasItems: ${waiting} / 2 items up to position 1, amounts 1799, fees 500000, debited 501800`,
      "transferFollowsRequest: 900 IDR from 5001, 900 sent of 250900 debited / 899 IDR from 5001, 900 sent of 250900 debited",
    ],
  ],
  [
    "a result that was not counted",
    `update bulks set settled_count = 2 where ${bulk("ENDED")}`,
    [`bulkCountsItems: ${ended}, ended / 2 settled, 1 returned, 1 rejected of 2000 with fees of 250000, ended`],
  ],
  [
    "a return that was not counted",
    `update bulks set returned_count = 0 where ${bulk("ENDED")}`,
    [`bulkCountsItems: ${ended}, ended / 3 settled, 0 returned, 1 rejected of 2000 with fees of 250000, ended`],
  ],
  [
    "a rejection of another amount",
    `update bulks set rejected_amount = 1 where ${bulk("FAILED")}`,
    [
      "bulkCountsItems: 0 settled, 0 returned, 1 rejected of 500000 with fees of 250000, ended / 0 settled, 0 returned, 1 rejected of 1 with fees of 250000, ended",
      "dailyUseNotBelowDebits: at least 7 debits of 1809799 / 7 debits of 1309800",
    ],
  ],
  [
    "a bulk that waits for nothing",
    `update bulks set is_open = true, ended_at = null where ${bulk("ENDED")}`,
    [`bulkCountsItems: ${ended}, ended / ${ended}, open`, "bulkEndIsNotified: nothing / 00 by 21"],
  ],
  [
    "a bulk that ended too early",
    `update bulks set is_open = false, ended_at = now() where ${bulk("WAITING")}`,
    [`bulkCountsItems: ${unsent}, open / ${unsent}, ended`, "bulkEndIsNotified: 06 by 21 / nothing"],
  ],
  [
    "an end without its notification",
    `delete from outbox where status = '06'`,
    ["bulkEndIsNotified: 06 by 21 / nothing"],
  ],
  [
    "an end with two notifications",
    `insert into outbox (id, partner, service, aggregate_id, status, created_at)
      select gen_random_uuid(), partner, 21, aggregate_id, '06', now() from outbox where status = '00'`,
    ["bulkEndIsNotified: 00 by 21 / 00 by 21, 06 by 21"],
  ],
  [
    "a notification of another status",
    `update outbox set status = '00' where status = '06'`,
    ["bulkEndIsNotified: 06 by 21 / 00 by 21"],
  ],
  [
    "a notification to another partner",
    `update outbox set partner = id where status = '06'`,
    ["bulkEndIsNotified: 06 by 21 / 06 by 21 to another partner"],
  ],
  [
    "a notification of a bulk that is open",
    `update outbox set aggregate_id = (select id from bulks where ${bulk("OPEN")}) where status = '00'`,
    ["bulkEndIsNotified: 00 by 21 / nothing", "bulkEndIsNotified: nothing / 00 by 21"],
  ],
  [
    "a notification of no bulk",
    `update outbox set aggregate_id = id where status = '06'`,
    ["bulkEndIsNotified: 06 by 21 / nothing", "notificationHasBulk: a bulk / none"],
  ],
  [
    "a notification of an item",
    `insert into outbox (id, partner, service, aggregate_id, status, created_at)
      select gen_random_uuid(), partner, 75, id, '00', now() from transfers where ${item("ENDED-0")}`,
    ["resultIsNotified: nothing / 00 by 75"],
  ],
  [
    "a day of which nothing was counted",
    "update accounts set daily_debit_count = 0, daily_debit_total = 0 where account_no = '5001'",
    ["dailyUseNotBelowDebits: at least 7 debits of 1309800 / 0 debits of 0"],
  ],
  [
    "a bulk's number that leads nowhere",
    `update accepted_requests set partner_reference_key = id where ${bulk("ENDED")}`,
    ["numberHasRecord: id / id"],
  ],
  [
    "an item's number that leads nowhere",
    `update accepted_requests set partner_reference_key = id where ${item("ENDED-0")}`,
    ["numberHasRecord: id / id"],
  ],
  [
    "records that cannot be read",
    `update accepted_requests set payload = '{' where ${bulk("ENDED")} or ${item("OPEN-1")}`,
    ["recordReadable: JSON / other text", "recordReadable: JSON / other text"],
  ],
];

const tables = ["accepted_requests", "accounts", "bulks", "outbox", "transfers"];
const spoiled = await copyDatabase(original.url);
after(() => spoiled[Symbol.asyncDispose]());
await runStatements(spoiled.url, [
  ...limitsOff,
  "create schema kept",
  ...tables.map((table) => `create table kept.${table} as table ${table}`),
]);
const restore = tables.flatMap((table) => [`delete from ${table}`, `insert into ${table} table kept.${table}`]);

for (const [name, statement, expected] of faults) {
  test(`the audit finds ${name}`, async () => {
    await runStatements(spoiled.url, [...restore, statement]);
    assert.deepEqual(await findingsOf(spoiled.url, { sliceRows: 7 }), expected.toSorted());
  });
}

test("an audit of the bulks as they were finds nothing, in slices of any size", async () => {
  for (const sliceRows of [1, 3, 20_000]) assert.deepEqual(await findingsOf(original.url, { sliceRows }), []);
});

test("a bulk that is returned later ended as it did; an audit of what came since finds a return that was not counted", async () => {
  await using copy = await copyDatabase(original.url);
  await findingsOf(copy.url, { watermark: "renew", lateCommitMs: 0 });
  await using later = await startNode(copy.url);
  const resolve = (items: readonly string[]) =>
    Promise.all(items.map((number) => resolveTransfer(later, fixture.items.get(number) ?? "", "returned")));
  await resolve(["ENDED-0"]);
  const since = () => findingsOf(copy.url, { watermark: "use", lateCommitMs: 0 });
  await runStatements(copy.url, [...limitsOff, `update bulks set returned_count = 1 where ${bulk("ENDED")}`]);
  const counted = `${ended}, ended`;
  assert.deepEqual(await since(), [`bulkCountsItems: ${counted.replace("1 returned", "2 returned")} / ${counted}`]);
  await runStatements(copy.url, [`update bulks set returned_count = 2 where ${bulk("ENDED")}`]);
  assert.deepEqual(await since(), []);
  await resolve(["ENDED-3"]);
  for (const status of ["00", "06"]) {
    await runStatements(copy.url, [`update outbox set status = '${status}'`]);
    assert.deepEqual(await since(), [], `all returned, ${status}`);
  }
});

test("the database itself rejects counts and ends that are none", async () => {
  await using copy = await copyDatabase(original.url);
  await withClient(copy.url, async (client) => {
    const rejected = [
      ["bulks_counts", `update bulks set settled_count = 4 where ${bulk("ENDED")}`],
      ["bulks_counts", `update bulks set returned_count = 4 where ${bulk("ENDED")}`],
      ["bulks_open", `update bulks set settled_count = 2 where ${bulk("ENDED")}`],
      ["bulks_open", `update bulks set is_open = false, ended_at = now() where ${bulk("OPEN")}`],
      ["bulks_ended", `update bulks set ended_at = null where ${bulk("ENDED")}`],
      ["bulks_check", `update bulks set rejected_amount = amount + 1 where ${bulk("ENDED")}`],
      ["transfers_bulk", `update transfers set bulk_position = null where ${item("ENDED-0")}`],
      ["transfers_by_bulk", `update transfers set bulk_position = 1 where ${item("ENDED-0")}`],
    ] as const;
    for (const [limit, change] of rejected) {
      const isRejected = (error: unknown) => error instanceof DatabaseError && error.constraint === limit;
      await assert.rejects(client.query(change), isRejected, change);
    }
  });
});
