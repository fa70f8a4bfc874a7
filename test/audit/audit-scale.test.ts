// The audit of a ledger with one hot account: no plan reads more than its slice, and a second audit reads what came since.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Client } from "pg";
import { type AuditOptions, runAudit } from "../../packages/server/src/admin/audit/audit.ts";
import { auditSettings } from "../../packages/server/src/store/audit/session.ts";
import { auditStatements } from "../../packages/server/src/store/audit/checks/checks.ts";
import { idAt } from "../../packages/server/src/basics/ids.ts";
import { countStatements } from "../../packages/server/src/store/audit/slices.ts";
import { withSettings } from "../../packages/server/src/store/postgres/session-settings.ts";
import { useDatabase } from "../support/database/database.ts";
import { fillLedger } from "../support/database/large-ledger.ts";

const database = await useDatabase();
const owner = new Client(database.ownerUrl);
await owner.connect();
after(async () => {
  await owner.end();
  await database.drop();
});

const accounts = 100;
const hourMs = 3_600_000;
const startMs = Date.now();
before(async () => {
  await fillLedger(database.ownerUrl, { after: 0, transfers: 10_000, accounts, startMs: startMs - 3 * hourMs });
  await owner.query("alter table closed_holds disable trigger user");
  for (const table of Object.keys(others)) await owner.query(`insert into ${table} ${others[table]}`);
});

const id = "gen_random_uuid()";
const fiveThousand = "from generate_series(1, 5000)";
/** Tables of which only plans are asked: of a table of a single page, all is read by any of them. */
const others: Readonly<Record<string, string>> = {
  bulks: `(id, partner, source_account_id, currency, item_count, amount, fee, settled_count, rejected_count, returned_count,
      rejected_amount, rejected_fee, is_open, ended_at, version, accepted_at)
    select ${id}, ${id}, ${id}, 'IDR', 1, 1, 0, 1, 0, 0, 0, 0, false, now(), 1, now() ${fiveThousand}`,
  closed_holds: `(id, partner, partner_reference_key, partner_reference_no, merchant_id, payer_account_id, settlement_account_id,
      currency, held, captured, voided, expired, remaining, refunded, is_open, capture_count, void_count, refund_count, event_count,
      expires_at, created_at, closed_at)
    select ${id}, ${id}, ${id}, '', '', ${id}, ${id}, 'IDR', 1, 0, 0, 1, 0, 0, false, 0, 0, 0, 1, now(), now(), now() ${fiveThousand}`,
  detached_balances: `(account_id, version, balance_after) select ${id}, 1, 0 ${fiveThousand}`,
  hold_events: `(hold_id, sequence, kind, command_id, amount, created_at) select ${id}, 1, 3, ${id}, 1, now() ${fiveThousand}`,
  outbox: `(id, partner, service, aggregate_id, status, created_at) select ${id}, ${id}, 75, ${id}, '00', now() ${fiveThousand}`,
  payment_requests: `(id, partner, payer_account_id, beneficiary_account_id, currency, expires_at, state, approved_amount,
      approval_journal_id, answered_at, answered_by, version, accepted_at)
    select ${id}, ${id}, ${id}, ${id}, 'IDR', 'infinity', 'approved', 1, ${id}, now(), 'payer', 1, now() ${fiveThousand}`,
  transfers: `(id, partner, service, rail, source_account_id, currency, amount, fee, daily_limit_amount, business_date, suspense_part, state,
      is_open, resolved_by, resolution_journal_id, version, accepted_at, submitted_at, next_inquiry_at, resolved_synchronously,
      bulk_id, bulk_position)
    select ${id}, ${id}, 23, 'skn', ${id}, 'IDR', 1, 0, 1, 1, 0, 'settled', false, 'rail', ${id}, 1, now(), now(), now(), false, ${id}, 0 ${fiveThousand}`,
};

/** Entries that an audit went through, and what it found. */
async function audit(options: AuditOptions) {
  let entries = 0;
  const onProgress: AuditOptions["onProgress"] = ({ pass, rows }) => {
    if (pass === "journals") entries = rows;
  };
  const { findings } = await runAudit(database.url, { ...options, onProgress });
  return { entries, findings: findings.map(({ check }) => check) };
}

interface Plan {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Name"?: string;
  readonly "Index Cond"?: string;
  readonly "Recheck Cond"?: string;
  readonly Plans?: readonly Plan[];
}

/** Holds open transfers alone. */
const openTransfers = ["transfers_inquiries_of_rail", "transfers_open_of_source"];

/** Scans that may read a whole table, or all of an index; of one of a page, or of a row a week, any plan is as good. */
function unboundedScans(plan: Plan, empty: ReadonlySet<string>): readonly string[] {
  const { "Relation Name": table, "Node Type": node } = plan;
  const isKeyed = plan["Index Cond"] !== undefined || plan["Recheck Cond"] !== undefined;
  const isBounded =
    table === undefined || isKeyed || empty.has(table) || openTransfers.includes(plan["Index Name"] ?? "");
  const below = (plan.Plans ?? []).flatMap((one) => unboundedScans(one, empty));
  return isBounded ? below : [`${node} on ${table}`, ...below];
}

const statistics: readonly (readonly [name: string, statements: readonly string[]])[] = [
  ["without statistics", []],
  ["with statistics", ["analyze"]],
  [
    "with statistics by which every account is hot and time is in disorder",
    [
      "update pg_statistic set stanumbers2 = '{0}', stanumbers3 = '{0}' where starelid in (select relid from pg_partition_tree('entries'))",
      "update pg_statistic set stadistinct = 1 where starelid in (select relid from pg_partition_tree('entries') union select 'holds'::regclass)",
    ],
  ],
];

for (const [name, statements] of statistics) {
  test(`no statement of the audit reads more than its slice, ${name}`, async () => {
    for (const statement of statements) await owner.query(statement);
    await using session = await openPlanner();
    const { rows: tables } = await owner.query(
      "select name from partitions where pg_relation_size(relation) <= 8192 union select 'detached_partitions'",
    );
    const empty = new Set(tables.map((row) => row.name));
    for (const { name: of, text } of [...auditStatements, ...Object.values(countStatements)]) {
      const { rows } = await session.query(`explain (generic_plan, format json) ${text}`);
      assert.deepEqual(unboundedScans(rows[0]["QUERY PLAN"][0].Plan, empty), [], of);
    }
  });
}

async function openPlanner() {
  const client = new Client(withSettings(database.url, auditSettings));
  await client.connect();
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() });
}

test("neither the clock of the machine that audits, nor a watermark that lies ahead, is trusted", async (context) => {
  for (const table of Object.keys(others)) await owner.query(`delete from ${table}`);
  const day = 24 * hourMs;
  const ahead = idAt(Date.now() + day);
  const kept = "select value #>> '{}' as id from service_state where name = 'audit_watermark'";
  await owner.query("insert into service_state (name, value) values ('audit_watermark', to_json($1::text))", [ahead]);
  const real = Date.now;
  context.mock.method(Date, "now", () => real() + day);
  assert.deepEqual(await audit({ watermark: "use" }), { entries: 20_000, findings: [] });
  const { rows } = await owner.query(kept);
  assert.ok(rows[0].id <= idAt(real() - 330_000), rows[0].id);
  await owner.query("delete from service_state where name = 'audit_watermark'");
});

test("a second audit reads what came since, and the accounts it touched", async () => {
  const next = (lateCommitMs: number) => audit({ watermark: "use", lateCommitMs });
  assert.deepEqual(await next(2 * hourMs), { entries: 20_000, findings: [] });
  await fillLedger(database.ownerUrl, { after: 10_000, transfers: 50, accounts, startMs: startMs - hourMs });
  assert.deepEqual(await next(hourMs / 2), { entries: 100, findings: [] });
  assert.deepEqual(await next(hourMs / 2), { entries: 0, findings: [] });
  // Since a finding nothing counts as audited: the next one finds it again.
  await fillLedger(database.ownerUrl, { after: 10_050, transfers: 50, accounts, startMs: startMs - hourMs / 6 });
  await owner.query("update accounts set balance = balance + 1 where account_no in ('0000000000', '0000000001')");
  for (const _ of [1, 2]) assert.deepEqual(await next(0), { entries: 100, findings: ["accountMatchesEntries"] });
  assert.deepEqual((await audit({})).findings, ["accountMatchesEntries", "accountMatchesEntries"]);
});

test("sessions that share the slices find the same, each slice once", async () => {
  const one = await audit({ sliceRows: 700 });
  assert.deepEqual(await audit({ sliceRows: 700, sessions: 3 }), one);
  assert.equal(one.findings.length, 2);
});
