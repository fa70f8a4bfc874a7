/** The statements of a batch open the partitions that their ids are in, and no others, however many there are. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { Client, type Pool } from "pg";
import { newId } from "../../packages/server/src/basics/ids.ts";
import { createAdminPool } from "../../packages/server/src/store/postgres/connect.ts";
import { postingKinds } from "../../packages/server/src/ledger/posting.ts";
import { readTransitEntries } from "../../packages/server/src/store/reads/transit.ts";
import { makePartition } from "../../packages/server/src/store/partitions/partitions.ts";
import type { Session, Statement } from "../../packages/server/src/store/postgres/session.ts";
import { findAcceptedRequests } from "../../packages/server/src/store/tables/requests/accepted-requests.ts";
import { findRejectedRequests } from "../../packages/server/src/store/tables/requests/rejected-requests.ts";
import { useDatabase } from "../support/database/database.ts";

const database = await useDatabase();
const pool = createAdminPool(database.url, 1);
// As the engine's session plans: once, for all values.
const options =
  "-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c plan_cache_mode=force_generic_plan";
const client = new Client({ connectionString: database.url, options });
await client.connect();
after(async () => {
  await Promise.all([pool.end(), client.end()]);
  await database.drop();
});

/** A value as SQL; of an array of ids its only one, of one of times the time now. */
function literalOf(value: unknown): string {
  if (Array.isArray(value)) return `'{${value.join()}}'`;
  if (!Buffer.isBuffer(value)) return `'${String(value)}'`;
  return value.readInt32BE(8) === 2950 ? `array['${value.toString("hex", 24)}']::uuid[]` : "array[now()]";
}

/** A session that explains what it is asked, and finds nothing. */
function explaining(plans: string[]): Session {
  const run = async ({ text }: Statement, values: readonly unknown[] = []) => {
    await client.query(`deallocate all; prepare asked as ${text}`);
    const { rows } = await client.query(`explain (costs off) execute asked (${values.map(literalOf).join()})`);
    plans.push(rows.map((row) => row["QUERY PLAN"]).join("\n"));
    return [];
  };
  return { run } as unknown as Session;
}

const partitionsIn = (plan: string) => [
  ...new Set(plan.match(/\b(?:accepted|rejected)_requests_(?:\d{8}|default)\b(?!_)/g)),
];

const day = 86_400_000;

const made = new Set<string>();

async function makePartitions(...tables: readonly ("accepted_requests" | "entries" | "rejected_requests")[]) {
  const today = Math.floor(Date.now() / day) * day;
  for (let week = 3; week < 30; week += 1) {
    for (const table of tables) {
      if (made.has(`${table} ${week}`)) continue;
      made.add(`${table} ${week}`);
      await makePartition(pool, table, { from: today - week * 7 * day, to: today - (week - 1) * 7 * day });
    }
  }
}

test("a page of a transit account is read by keys in every partition, and of those alone that its journals may be in", async () => {
  await makePartitions("entries", "accepted_requests");
  const plans: string[] = [];
  let kind = String(postingKinds.transfer);
  const explains = {
    query: async ({ text, values }: { text: string; values: readonly unknown[] }) => {
      await client.query(`deallocate all; prepare asked as ${text}`);
      const { rows } = await client.query(`explain (costs off) execute asked (${values.map(literalOf).join()})`);
      plans.push(rows.map((row) => row["QUERY PLAN"]).join("\n"));
      // A row of the page, so that its request is looked for, and is none.
      return { rows: text.includes("from entries") ? [["1001", "1", "1", newId(), "0", kind]] : [] };
    },
  } as unknown as Pool;
  const page = { account: newId(), after: 1_000 };
  await readTransitEntries(explains, { ...page, afterJournal: undefined });
  await readTransitEntries(explains, { ...page, afterJournal: newId() });
  const [whole = "", requests = "", approvals = "", bounded = ""] = plans;
  const scans = (plan: string) => plan.match(/Scan using entries_\w+_pkey on entries_\w+/g)?.length ?? 0;
  for (const plan of plans) assert.doesNotMatch(plan, /Seq Scan/, plan);
  for (const plan of [whole, bounded]) {
    assert.doesNotMatch(plan, /Bitmap|Sort\n/, plan);
    const conditions = plan.match(/Index Cond: \(\(account_id = \$1\) AND \(version > \$2\) AND \(version <= \$3\)\)/g);
    assert.equal(conditions?.length, scans(plan), plan);
  }
  assert.ok(scans(whole) > 28, whole);
  assert.ok(scans(bounded) < 8, bounded);
  assert.match(bounded, /Subplans Removed: \d{2}/);
  assert.equal(partitionsIn(requests).length, 1, requests);
  assert.match(approvals, /payment_requests_by_approval/);

  // Merchants' money is found by its journals, however many entries their accounts have.
  kind = String(postingKinds.sweep);
  plans.length = 0;
  await readTransitEntries(explains, { ...page, afterJournal: undefined });
  const merchants = plans.at(-1) ?? "";
  assert.match(merchants, /Index Cond: \(\(journal_id >= \$2\) AND \(journal_id <= \$3\)\)/, merchants);
  assert.match(merchants, /Subplans Removed: \d{2}/, merchants);
  assert.doesNotMatch(merchants, /Seq Scan/, merchants);
});

test("a look-up of requests and rejections opens the partitions of its ids alone", async () => {
  await makePartitions("accepted_requests", "rejected_requests");
  const plans: string[] = [];
  const session = explaining(plans);
  const id = newId();
  await findAcceptedRequests(session, new Map([[0, id]]), new Map([[1, id]]));
  const keys = { signatureKey: id, externalIdKey: id, partnerReferenceKey: id, requestFingerprint: id };
  await findRejectedRequests(session, [{ id, ...keys, sentAt: Date.now() }]);
  const [accepted = "", rejected = ""] = plans;
  assert.equal(partitionsIn(accepted).length, 1, accepted);
  assert.match(accepted, /Subplans Removed: \d{2}/);
  assert.ok(partitionsIn(rejected).length <= 2, rejected);
  assert.match(rejected, /Subplans Removed: \d{2}/);
  // A range of ids prunes, and is never what a rejection is found by.
  assert.doesNotMatch(rejected, /Index Scan using \w+_pkey/);
  // One row is read of each order, however many rejections it has.
  for (const columns of ["signature_key", "external_id_key", "partner_reference_key.*request_fingerprint"]) {
    assert.match(rejected, new RegExp(`Index Cond: [^\\n]*${columns}`), rejected);
  }
});
