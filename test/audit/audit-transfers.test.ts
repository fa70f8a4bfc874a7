// Each check of the audit that is about transfers over rails is proven alive: a database is spoiled on purpose, as its
// owner with the limits off, and exactly the findings that follow from it are expected.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { DatabaseError } from "pg";
import { runAudit } from "../../packages/server/src/admin/audit/audit.ts";
import { copyDatabase } from "../support/database/copy-database.ts";
import { createRailFixture } from "../support/rail-fixture.ts";
import { suspenseNoOf } from "../support/suspense-account.ts";
import { spoilRows, withClient } from "../support/database/with-client.ts";

const original = await createRailFixture();
after(() => original[Symbol.asyncDispose]());

const limitsOff = ["open", "resolved", "returned", "resolved_by", "returned_by"].map(
  (name) => `alter table transfers drop constraint transfers_${name}`,
);

async function findingsOf(url: string, sliceRows: number): Promise<readonly string[]> {
  const { findings } = await runAudit(url, { sliceRows });
  return findings.map(({ check, expected, found }) => `${check}: ${expected} / ${found}`).toSorted();
}

const of = (service: number, amount: number) => `service = ${service} and amount = ${amount}`;
const settled = of(18, 1_000);

/** Faults with their statements, and every finding they must lead to: `check: expected / found`. */
const faults: readonly (readonly [name: string, statements: readonly string[], findings: readonly string[]])[] = [
  [
    "a transfer that waits for nothing that is set aside",
    [`update transfers set amount = amount + 1 where is_open`],
    [
      "suspenseMatchesTransfers: 253001 / 253000",
      "transferFollowsRequest: 3000 IDR from 3001, 3000 sent of 253000 debited / 3001 IDR from 3001, 3001 sent of 253001 debited",
    ],
  ],
  [
    "a transfer forgotten while its money waits",
    [`update transfers set is_open = false where is_open`],
    ["suspenseMatchesTransfers: 0 / 253000"],
  ],
  [
    "a transfer on another part of the suspense account than its money",
    [`update transfers set suspense_part = (suspense_part + 1) % 16 where is_open`],
    ["suspenseMatchesTransfers: 0 / 253000"],
  ],
  [
    "a settlement of another amount than was sent",
    [`update transfers set amount = amount + 1 where ${settled}`],
    [
      "transferEndHasJournal: settled 1001, fee 250000, reversed 0, returned 0 / settled 1000, fee 250000, reversed 0, returned 0",
      "transferFollowsRequest: 1000 IDR from 3001, 1000 sent of 251000 debited / 1001 IDR from 3001, 1001 sent of 251001 debited",
    ],
  ],
  [
    "a transfer that names the journal of another, which did not move its money",
    [
      `update transfers set state = 'settled', is_open = false, resolved_by = 'rail',
        resolution_journal_id = (select resolution_journal_id from transfers where ${settled}) where is_open`,
    ],
    [
      "suspenseMatchesTransfers: 0 / 253000",
      "transferEndHasJournal: settled 4000, fee 500000, reversed 0, returned 0 / settled 1000, fee 250000, reversed 0, returned 0",
    ],
  ],
  [
    "transfers of two rails that were settled by one journal",
    [
      `update entries set journal_id = (select resolution_journal_id from transfers where ${settled})
        where journal_id = (select resolution_journal_id from transfers where ${of(23, 4_000)})`,
      `update transfers set resolution_journal_id = (select resolution_journal_id from transfers where ${settled})
        where ${of(23, 4_000)}`,
    ],
    [
      "transferEndOnItsAccounts: clearing:interbank:IDR / clearing:skn:IDR",
      "transferEndOnItsAccounts: clearing:skn:IDR / clearing:interbank:IDR",
      "transferEndOnItsAccounts: fee:interbank:IDR / fee:skn:IDR",
      "transferEndOnItsAccounts: fee:skn:IDR / fee:interbank:IDR",
      "transferEndOnItsAccounts: suspense:interbank:IDR:00 / suspense:skn:IDR:00",
      "transferEndOnItsAccounts: suspense:skn:IDR:00 / suspense:interbank:IDR:00",
    ],
  ],
  [
    "a rejection that reversed less than it took",
    [`update transfers set fee = fee + 1 where ${of(23, 5_000)}`],
    [
      "transferEndHasJournal: settled 0, fee 0, reversed 295001, returned 0 / settled 0, fee 0, reversed 295000, returned 0",
      "transferFollowsRequest: 5000 IDR from 3001, 5000 sent of 295000 debited / 5000 IDR from 3001, 5000 sent of 295001 debited",
    ],
  ],
  [
    "an end that is none of the transfer's",
    [`update transfers set resolution_journal_id = null where ${settled}`],
    ["transferEndHasJournal: no end / settled 1000, fee 250000, reversed 0, returned 0"],
  ],
  [
    "a transfer without its record",
    [`delete from accepted_requests where id = (select id from transfers where is_open)`],
    [
      `recordHasJournal: a record / submission of 253000 IDR from 3001 to ${suspenseNoOf()}`,
      "transferHasRecord: a record / service 18",
    ],
  ],
  [
    "a record of another service than its transfer",
    [`update transfers set service = 22 where ${settled}`],
    ["resultIsNotified: 00 by 76 / nothing", "transferHasRecord: service 18 / service 22"],
  ],
  [
    "a resolution by nobody",
    [`update transfers set resolved_by = null where ${settled}`],
    ["transferHasResolver: resolved by somebody / resolved by nobody, returned by nobody"],
  ],
  [
    "a resolver of a transfer that awaits its result",
    [`update transfers set resolved_by = 'operator' where is_open`],
    ["transferHasResolver: resolved by nobody / resolved by operator, returned by nobody"],
  ],
  [
    "a return by the rail of a transfer that was not returned",
    [`update transfers set returned_by = 'rail' where ${settled}`],
    ["transferHasResolver: resolved by somebody / resolved by rail, returned by rail"],
  ],
  [
    "a return by nobody",
    [`update transfers set returned_by = null where state = 'returned'`],
    [
      "operatorHasAct: no act / an act: return",
      "transferHasResolver: resolved and returned by somebody / resolved by rail, returned by nobody",
    ],
  ],
  [
    "an unknown resolver",
    [`update transfers set resolved_by = 'timer', returned_by = 'timer' where state = 'returned'`],
    [
      "operatorHasAct: no act / an act: return",
      "transferHasResolver: resolved and returned by somebody / resolved by timer, returned by timer",
    ],
  ],
  [
    "a day of which nothing was counted",
    ["update accounts set daily_debit_count = 0, daily_debit_total = 0 where account_no = '3001'"],
    ["dailyUseNotBelowDebits: at least 4 debits of 20000008000 / 0 debits of 0"],
  ],
  [
    "a result without its notification",
    [`delete from outbox where status = '06'`],
    ["resultIsNotified: 06 by 75 / nothing"],
  ],
  [
    "a notification of what did not happen",
    [`update outbox set status = '06' where status = '04'`],
    ["resultIsNotified: 04 by 76 / nothing", "resultIsNotified: nothing / 06 by 76"],
  ],
  [
    "an external id that was given up for none",
    [
      `delete from request_keys where key < '80000000-0000-0000-0000-000000000000'
        and request_id = (select id from transfers where ${of(18, 2_000)})`,
    ],
    ["externalIdHasRecord: other to it / other to none"],
  ],
  [
    "a rejection beside what was accepted",
    [
      `insert into rejected_requests (id, partner, service, external_id_key, partner_reference_key, signature_key, kind, payload,
          rejected_at, sent_at)
        select id, partner, service, id, id, id, 'rejectedByRail', '{}', accepted_at, accepted_at from transfers where ${of(18, 2_000)}`,
    ],
    ["rejectionHasNoEffect: neither record nor journal / one of them"],
  ],
];

for (const [name, statements, expected] of faults) {
  test(`the audit finds ${name}`, async () => {
    await using copy = await copyDatabase(original.ownerUrl);
    await spoilRows(copy.url, [...limitsOff, ...statements]);
    for (const sliceRows of [7, 20_000]) {
      const findings = await findingsOf(copy.url, sliceRows);
      const named = findings.map((text) => text.replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "other"));
      assert.deepEqual(named, expected.toSorted());
    }
  });
}

test("an audit of the transfers as they were finds nothing, in slices of any size", async () => {
  for (const sliceRows of [1, 2, 3, 20_000]) assert.deepEqual(await findingsOf(original.url, sliceRows), []);
});

test("the database itself rejects an unknown resolver, and one of a transfer that awaits its result", async () => {
  await using copy = await copyDatabase(original.ownerUrl);
  await withClient(copy.url, async (client) => {
    const rejected = [
      ["resolved_by", "set resolved_by = null where not is_open"],
      ["resolved_by", "set resolved_by = 'rail' where is_open"],
      ["resolved_by", "set resolved_by = 'timer' where not is_open"],
      ["returned_by", "set returned_by = 'operator' where state = 'settled'"],
      ["returned_by", "set returned_by = null where state = 'returned'"],
      ["returned_by", "set returned_by = 'timer' where state = 'returned'"],
    ] as const;
    for (const [name, change] of rejected) {
      const isRejected = (error: unknown) => error instanceof DatabaseError && error.constraint === `transfers_${name}`;
      await assert.rejects(client.query(`update transfers ${change}`), isRejected, change);
    }
  });
});
