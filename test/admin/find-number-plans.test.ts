/** Plans of the console's reads, by indexes however much there is: every statement's on large tables. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Pool } from "pg";
import { findNumber } from "../../packages/server/src/views/money/find-number.ts";
import { listNewestHolds } from "../../packages/server/src/views/holds/holds.ts";
import { listNewestTransfers } from "../../packages/server/src/views/transfers/newest-transfers.ts";
import { listNewestPaymentRequests } from "../../packages/server/src/views/transfers/payment-requests.ts";
import { listBulks } from "../../packages/server/src/views/transfers/bulks.ts";
import { findNotifications } from "../../packages/server/src/admin/notifications.ts";
import { findTimeline } from "../../packages/server/src/views/money/timeline.ts";
import { onboardPartner } from "../../packages/server/src/admin/partners/partners.ts";
import { externalIdOf, highestId, idAt, lowestId, newId, toReferenceNo } from "../../packages/server/src/basics/ids.ts";
import type { StatementClient } from "../../packages/server/src/store/postgres/connect.ts";
import {
  filterByWords,
  inOrderOfIndexes,
  listRecordsOfWords,
} from "../../packages/server/src/views/search/records-of-words.ts";
import { listSearchedIds } from "../../packages/server/src/store/tables/search/search-words.ts";
import { startNode } from "../support/administration.ts";
import { useDatabase } from "../support/database/database.ts";
import { runStatements } from "../support/database/with-client.ts";
import { valueOf } from "../support/expect.ts";
import { newPartner } from "../support/partners.ts";

const database = await useDatabase();
const node = await startNode(database.url);
after(async () => {
  await node.close();
  await database.drop();
});

const count = 4_000;
const id = "gen_random_uuid()";
const rows = `from generate_series(1, ${count}) n`;

const payload = JSON.stringify({ request: { amount: { value: "1.00", currency: "IDR" }, partnerReferenceNo: "1" } });

before(async () => {
  for (let partners = 0; partners < 3; partners += 1) valueOf(await onboardPartner(node, newPartner()));
  await node.refresh();
  await runStatements(database.ownerUrl, [
    `insert into accepted_requests (id, partner, service, external_id_key, partner_reference_key, body_hash,
       request_fingerprint, external_id, payload, accepted_at)
     select ${id}, ${id}, (array[17, 18, 20, 63])[n % 4 + 1], ${id}, ${id}, ${id}, ${id}, n::text, '${payload}', now() ${rows}`,
    `insert into request_keys (key, request_id) select external_id_key, id from accepted_requests
       union all select partner_reference_key, id from accepted_requests`,
    `insert into rejected_requests (id, partner, service, external_id_key, partner_reference_key, signature_key, kind,
       payload, rejected_at, sent_at)
     select ${id}, ${id}, 17, ${id}, ${id}, ${id}, 'insufficientFunds', '{}', now(), now() ${rows}`,
    `insert into holds (id, partner, partner_reference_key, partner_reference_no, merchant_id, payer_account_id,
       settlement_account_id, currency, held, captured, voided, expired, remaining, refunded, is_open, capture_count,
       void_count, refund_count, event_count, expires_at, created_at)
     select ${id}, ${id}, ${id}, n::text, 'M', ${id}, ${id}, 'IDR', 1, 0, 0, 0, 1, 0, true, 0, 0, 0, 0, now(), now() ${rows}`,
    `insert into transfers (id, partner, service, rail, source_account_id, currency, amount, fee, daily_limit_amount,
       business_date, suspense_part, state, is_open, trace_no, resolved_by, resolution_journal_id, version, accepted_at, submitted_at,
       next_inquiry_at, resolved_synchronously)
     select ${id}, ${id}, 18, 'interbank', ${id}, 'IDR', 1, 0, 1, 1, 0, 'settled', false, 'T' || n, 'rail', ${id}, 1, now(),
       now(), now(), false ${rows}`,
    `insert into payment_requests (id, partner, payer_account_id, beneficiary_account_id, currency, expires_at, state,
       approved_amount, approval_journal_id, answered_at, answered_by, version, accepted_at)
     select ${id}, ${id}, ${id}, ${id}, 'IDR', 'infinity', 'approved', 1, ${id}, now(), 'payer', 1, now() ${rows}`,
    `insert into outbox (id, partner, service, aggregate_id, status, created_at)
     select ${id}, ${id}, 75, ${id}, '00', now() ${rows}`,
    `insert into bulks (id, partner, source_account_id, currency, item_count, amount, fee, settled_count, rejected_count,
       returned_count, rejected_amount, rejected_fee, is_open, ended_at, version, accepted_at)
     select ${id}, ${id}, ${id}, 'IDR', 1, 1, 0, 1, 0, 0, 0, 0, false, now(), 1, now() ${rows}`,
    `insert into hold_events (hold_id, sequence, kind, command_id, amount, created_at)
     select ${id}, 1, 3, ${id}, 1, now() ${rows}`,
    `insert into kept_calls (correlation, at, record, code, partner, body)
     select n, now(), ${id}, 4031714, case when n % 500 = 0 then ${id} end, case when n % 500 = 0 then 'sealed' end ${rows}`,
    "analyze",
  ]);
});

interface Plan {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Actual Rows"?: number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Actual Loops"?: number;
  readonly Plans?: readonly Plan[];
}

/** Scans of whole tables, and those that read many rows for few. */
function costlyScans(plan: Plan, empty: ReadonlySet<string>): readonly string[] {
  const { "Node Type": scan, "Relation Name": table = "", "Rows Removed by Filter": removed = 0 } = plan;
  const isCostly =
    (scan === "Seq Scan" && !["accounts", "entries_default", "partners"].includes(table) && !empty.has(table)) ||
    removed > 200;
  return [
    ...(isCostly ? [`${scan} on ${table}`] : []),
    ...(plan.Plans ?? []).flatMap((one) => costlyScans(one, empty)),
  ];
}

interface Asked {
  readonly name: string;
  readonly text: string;
  readonly values: readonly unknown[];
}

/** A pool that keeps what is asked of it. */
function recording(pool: Pool): { readonly pool: Pool; readonly asked: Map<string, Asked> } {
  const asked = new Map<string, Asked>();
  const query = (statement: Asked) => {
    asked.set(statement.name, statement);
    return pool.query({ ...statement, values: [...statement.values] });
  };
  return { pool: { query } as unknown as Pool, asked };
}

test("no number is looked for by reading a table, and no list or timeline", async () => {
  const { pool, asked } = recording(node.reads);
  const queries = { pool, clock: node.clock, reference: node.reference };
  for (const number of [toReferenceNo(newId()), externalIdOf(newId()), "T77", "1001"]) {
    assert.equal((await findNumber(queries, { number }))?.needsPartner, false);
  }
  const partnerId = queries.reference.current().partners.values().next().value?.partnerId ?? assert.fail();
  const filter = { partnerId, state: "settled", minimum: "1", from: Date.UTC(2020, 0), to: Date.UTC(2100, 0) };
  for (const page of [
    { limit: 50 },
    { limit: 50, isOldestFirst: true },
    { limit: 50, isCounted: true, filter },
    { limit: 50, isCounted: true, isOldestFirst: true, filter },
  ]) {
    await listNewestHolds(queries, page);
    await listNewestPaymentRequests(queries, page);
    await listNewestTransfers(queries, page);
    await listBulks(queries, { ...page, isOpen: false });
    await findNotifications({ reads: pool, clock: node.clock, byPartnerId: queries.reference.byPartnerId }, page);
  }
  const { rows: known } = await node.reads.query(
    "select id from accepted_requests where service in (18, 20, 63) limit 9",
  );
  for (const row of known) await findTimeline(queries, toReferenceNo(row.id));
  for (const from of [lowestId, `8${lowestId.slice(1)}`, highestId]) await listSearchedIds(pool, from, 100);
  const { rows: tables } = await node.reads.query(
    "select name from partitions where pg_relation_size(relation) <= 8192",
  );
  // It has a row for each week that is detached.
  const empty = new Set<string>([...tables.map((row) => row.name), "detached_partitions"]);
  assert.ok(asked.size > 15, [...asked.keys()].join());
  for (const { name, text, values } of asked.values()) {
    const { rows: plans } = await node.reads.query(`explain (analyze, format json) ${text}`, [...values]);
    const [{ Plan: plan }] = JSON.parse(plans[0]["QUERY PLAN"]);
    assert.deepEqual(costlyScans(plan, empty), [], `${name}: ${JSON.stringify(plan, undefined, 1)}`);
  }
});

/** Rows that scans of words read. */
function readOf(plan: Plan): number {
  const { "Node Type": scan, "Actual Rows": found = 0, "Actual Loops": loops = 1, Plans = [] } = plan;
  assert.ok(!/Seq Scan|Bitmap/.test(scan), scan);
  const own = scan.startsWith("Index") ? found * loops : 0;
  return Plans.reduce((sum, one) => sum + readOf(one), own);
}

test("of a frequent word so many records are read as are wanted, the newest of all periods, by an index", async () => {
  // A row every 5 minutes, through two weeks.
  const time = "lpad(to_hex((extract(epoch from now()) * 1000)::bigint - n * 300000), 12, '0')";
  await runStatements(database.ownerUrl, [
    `insert into search_words (word, record)
     select 7, (substr(t, 1, 8) || '-' || substr(t, 9) || '-7000-8000-000000000000')::uuid
     from generate_series(1, ${count}) n cross join lateral (select ${time} as t) of_time`,
    "analyze search_words",
  ]);
  // As of a keyed word, in two months: of the older one nothing is read, since the newer one has enough.
  const [kind, word, middle] = ["name" as const, "7", idAt(Date.now() - 7 * 86_400_000)];
  const probes = [
    { kind, word, from: middle, to: highestId },
    { kind, word, from: lowestId, to: middle },
  ];
  await inOrderOfIndexes(node.reads, async (client) => {
    const plans: Plan[] = [];
    const query = async ({ text, values }: Asked) => {
      const explained = await client.query(`explain (analyze, format json) ${text}`, [...values]);
      plans.push(JSON.parse(explained.rows[0]["QUERY PLAN"])[0].Plan);
      return client.query({ text, values: [...values], rowMode: "array" });
    };
    const recorded = { query } as unknown as StatementClient;
    const records = await listRecordsOfWords(recorded, probes, 100);
    assert.equal(records.length, 100);
    const newest = await client.query("select record from search_words order by record desc limit 100");
    assert.deepEqual(
      records,
      newest.rows.map(({ record }) => record),
    );
    assert.deepEqual(await filterByWords(recorded, [...records, newId()], probes), records);
    const [list, filter] = plans.map(readOf);
    // Beside those, the first of each other period.
    assert.ok(list !== undefined && list < 120, `${list} rows`);
    assert.ok(filter !== undefined && filter < 120, `${filter} rows`);
  });
});
