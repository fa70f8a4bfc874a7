// Each check of the audit that is about payment requests is proven alive: a database is spoiled on purpose, as its owner
// with the limits off, and exactly the findings that follow from it are expected.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { DatabaseError } from "pg";
import { runAudit } from "../../packages/server/src/admin/audit/audit.ts";
import { startNode } from "../support/administration.ts";
import { copyDatabase } from "../support/database/copy-database.ts";
import { useDatabase } from "../support/database/database.ts";
import { spoilRows, withClient } from "../support/database/with-client.ts";
import { requestAndAnswer } from "../support/payment-request-fixture.ts";
import { suspenseNoOf } from "../support/suspense-account.ts";

const original = await useDatabase();
after(() => original.drop());
const node = await startNode(original.url);
await requestAndAnswer(node);
await node.close();

const limits = ["requests_approved", "requests_amount", "requests_answered", "requests_answered_in_time"];
const limitsOff = limits.map((name) => `alter table payment_requests drop constraint payment_${name}`);
const numbered = (number: string) =>
  `id = (select id from accepted_requests where payload::json #>> '{request,partnerReferenceNo}' = '${number}')`;

async function findingsOf(url: string, sliceRows: number): Promise<readonly string[]> {
  const { findings } = await runAudit(url, { sliceRows });
  const withoutIds = (text: string) => text.replace(/[0-9a-f-]{36}/g, "id");
  return findings.map(({ check, expected, found }) => withoutIds(`${check}: ${expected} / ${found}`)).toSorted();
}

const waiting = "1000 IDR of 4001 to 4002, fee OUR";
const overRail = `submission of 253000 IDR from 4001 to ${suspenseNoOf()}`;

/** Faults with their statement, and every finding they must lead to: `check: expected / found`. */
const faults: readonly (readonly [name: string, statement: string, findings: readonly string[]])[] = [
  [
    "a payment request without its record",
    `delete from accepted_requests where ${numbered("WAITING")}`,
    [`paymentRequestHasRecord: a record / ${waiting}`],
  ],
  [
    "a record without its payment request",
    `delete from payment_requests where ${numbered("WAITING")}`,
    [`paymentRequestHasRecord: ${waiting} / no payment request`],
  ],
  [
    "a payment request of another amount than was requested",
    `update payment_requests set requested_amount = 1001 where ${numbered("WAITING")}`,
    [`paymentRequestHasRecord: ${waiting} / 1001 IDR of 4001 to 4002, fee OUR`],
  ],
  [
    "a payment request that would pay another account than was requested",
    `update payment_requests set beneficiary_account_id = payer_account_id where ${numbered("WAITING")}`,
    [`paymentRequestHasRecord: ${waiting} / 1000 IDR of 4001 to 4001, fee OUR`],
  ],
  [
    "a payment request whose fee another pays than was requested",
    `update payment_requests set fee_type = 'BEN' where ${numbered("WAITING")}`,
    [`paymentRequestHasRecord: ${waiting} / 1000 IDR of 4001 to 4002, fee BEN`],
  ],
  [
    "an approval of another amount than was paid",
    `update payment_requests set approved_amount = 1001 where ${numbered("OWN")}`,
    ["recordHasJournal: transfer of 1001 IDR from 4001 to 4002 / transfer of 1000 IDR from 4001 to 4002"],
  ],
  [
    "an approval without its journal",
    `update payment_requests set approval_journal_id = id where ${numbered("OWN")}`,
    [
      "recordHasJournal: a record / transfer of 1000 IDR from 4001 to 4002",
      "recordHasJournal: transfer of 1000 IDR from 4001 to 4002 / no journal",
    ],
  ],
  [
    "money moved for a request that still waits",
    `update payment_requests set state = 'waiting', approval_journal_id = null where ${numbered("OWN")}`,
    ["recordHasJournal: a record / transfer of 1000 IDR from 4001 to 4002"],
  ],
  [
    "a transfer of another amount than was approved",
    `update transfers set daily_limit_amount = 2999`,
    ["paymentRequestHasTransfer: a transfer of 3000 IDR from id / a transfer of 2999 IDR from id"],
  ],
  [
    "a transfer that sends less than was approved, for a higher fee",
    "update transfers set amount = amount - 1, fee = fee + 1",
    ["paymentRequestHasTransfer: a transfer of 3000 IDR from id / a transfer of 2999 IDR from id"],
  ],
  [
    "an approval over the rail without its transfer",
    `delete from transfers`,
    [
      `paymentRequestHasTransfer: a transfer of 3000 IDR from id / no transfer`,
      `recordHasJournal: submission of 3000 IDR from 4001 to no account / ${overRail}`,
      "suspenseMatchesTransfers: 0 / 253000",
    ],
  ],
  [
    "a transfer of a request that was declined",
    `update payment_requests set state = 'declined' where ${numbered("RAIL")}`,
    ["paymentRequestHasTransfer: no transfer / a transfer of 3000 IDR from id"],
  ],
  [
    "a day of which nothing was counted",
    "update accounts set daily_debit_count = 0, daily_debit_total = 0 where account_no = '4001'",
    ["dailyUseNotBelowDebits: at least 2 debits of 4000 / 0 debits of 0"],
  ],
];

for (const [name, statement, expected] of faults) {
  test(`the audit finds ${name}`, async () => {
    await using copy = await copyDatabase(original.ownerUrl);
    await spoilRows(copy.url, [...limitsOff, statement]);
    for (const sliceRows of [7, 20_000]) assert.deepEqual(await findingsOf(copy.url, sliceRows), expected.toSorted());
  });
}

test("an audit of the payment requests as they were finds nothing, in slices of any size", async () => {
  for (const sliceRows of [1, 3, 20_000]) assert.deepEqual(await findingsOf(original.url, sliceRows), []);
});

test("the database itself rejects an answer that is none, late, or of another amount", async () => {
  await using copy = await copyDatabase(original.ownerUrl);
  await withClient(copy.url, async (client) => {
    const rejected = [
      ["approved", `set state = 'waiting', answered_at = null, answered_by = null where ${numbered("OWN")}`],
      ["approved", `set approval_journal_id = null where ${numbered("OWN")}`],
      ["amount", `set approved_amount = 999 where ${numbered("OWN")}`],
      ["answered", `set state = 'declined' where ${numbered("WAITING")}`],
      ["answered_in_time", `set answered_at = expires_at where ${numbered("DECLINED")}`],
      [
        "by_approval",
        `set approval_journal_id = (select approval_journal_id from payment_requests where ${numbered("OWN")})
        where ${numbered("RAIL")}`,
      ],
    ] as const;
    for (const [limit, change] of rejected) {
      const isRejected = (error: unknown) =>
        error instanceof DatabaseError && error.constraint === `payment_requests_${limit}`;
      await assert.rejects(client.query(`update payment_requests ${change}`), isRejected, change);
    }
  });
});
