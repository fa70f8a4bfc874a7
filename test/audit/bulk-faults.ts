/** Findings of the audit in the bulks of `support/bulk-fixture.ts`. */
import { suspenseNoOf } from "../support/suspense-account.ts";

/** So that a database can be spoiled. */
export const limitsOff = ["counts", "open", "ended"].map((name) => `alter table bulks drop constraint bulks_${name}`);

/** Condition that names a bulk by its number, or an item. */
export const bulk = (
  name: string,
) => `id = (select id from accepted_requests where payload::json #>> '{request,customerReference}' = '${name}'
  and payload::json ->> 'itemCount' is not null)`;
export const item = (number: string) =>
  `id = (select id from accepted_requests where payload::json #>> '{request,partnerReferenceNo}' = '${number}')`;

const waiting = "2 items up to position 1, amounts 1800, fees 500000, debited 501800";
const anItem = "service 20 over interbank, IDR from id by id, request id";
export const ended = "3 settled, 1 returned, 1 rejected of 2000 with fees of 250000";
const unsent = "0 settled, 0 returned, 0 rejected of 0 with fees of 0";

/** Faults with their statement, and every finding they must lead to: `check: expected / found`. */
export const faults: readonly (readonly [name: string, statement: string, findings: readonly string[]])[] = [
  [
    "a bulk without its record",
    `delete from accepted_requests where ${bulk("OPEN")}`,
    [
      "bulkHasRecord: a record / 3 items from 5001, 2850000 IDR",
      `recordHasJournal: a record / submission of 2400000 IDR from 5001 to ${suspenseNoOf()}`,
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
    "an item on another part of the suspense account than its bulk's money",
    `update transfers set suspense_part = (suspense_part + 1) % 16 where ${item("WAITING-1")}`,
    ["suspenseMatchesTransfers: 1050900 / 1301800"],
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
    ["numberHasRecord: id to it / id to none"],
  ],
  [
    "an item's number that leads nowhere",
    `update accepted_requests set partner_reference_key = id where ${item("ENDED-0")}`,
    ["numberHasRecord: id to it / id to none"],
  ],
  [
    "records that cannot be read",
    `update accepted_requests set payload = '{' where ${bulk("ENDED")} or ${item("OPEN-1")}`,
    ["recordReadable: JSON / other text", "recordReadable: JSON / other text"],
  ],
];
