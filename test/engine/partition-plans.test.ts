/** The statements of a batch open the partitions that their ids are in, and no others, however many there are. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { Client } from "pg";
import { newId } from "../../packages/server/src/basics/ids.ts";
import { createAdminPool } from "../../packages/server/src/store/postgres/connect.ts";
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

test("a look-up of requests and rejections opens the partitions of its ids alone", async () => {
  const day = 86_400_000;
  const today = Math.floor(Date.now() / day) * day;
  for (let week = 3; week < 30; week += 1) {
    for (const table of ["accepted_requests", "rejected_requests"] as const) {
      await makePartition(pool, table, { from: today - week * 7 * day, to: today - (week - 1) * 7 * day });
    }
  }
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
