/** External ids are given up when they were kept long enough, but for those of pending requests and those taken again (spec D7). */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createReleaseExternalIds } from "../../packages/server/src/jobs/release-external-ids.ts";
import { createClock } from "../../packages/server/src/basics/clock.ts";
import { idAt } from "../../packages/server/src/basics/ids.ts";
import { useJobDatabase } from "../support/database/job-database.ts";
import { insertRow } from "../support/database/valid-rows.ts";
import { mayGoOn } from "../support/run-job.ts";

const database = await useJobDatabase();
const { pool, client } = database;
after(() => database.drop());

const day = 86_400_000;
const clock = createClock();
const jobOf = (keepMs: number, idempotencyWindowMs: number) =>
  createReleaseExternalIds({ pool, clock, keepMs, idempotencyWindowMs });

/** Ids of requests accepted then, each with both its keys. */
async function accept(count: number, at: number): Promise<readonly string[]> {
  const random = "gen_random_uuid()";
  const { rows } = await client.query<{ id: string }>(
    `with accepted as (
       insert into accepted_requests (id, partner, service, external_id_key, partner_reference_key, body_hash,
         request_fingerprint, external_id, payload, accepted_at)
       select overlay($3::text placing substr(${random}::text, 15) from 15)::uuid, ${random}, 18,
         overlay(${random}::text placing '0' from 1 for 1)::uuid, overlay(${random}::text placing 'f' from 1 for 1)::uuid,
         ${random}, ${random}, n::text, '{}', $2 from generate_series(1, $1) n
       returning *),
     keys as (
       insert into request_keys (key, request_id) select external_id_key, id from accepted union all
         select partner_reference_key, id from accepted)
     select id from accepted order by id`,
    [count, new Date(at), idAt(at)],
  );
  return rows.map(({ id }) => id);
}

async function keptIds(): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ id: string }>(
    "select r.id from accepted_requests r join request_keys k on k.key = r.external_id_key and k.request_id = r.id",
  );
  return new Set(rows.map(({ id }) => id));
}

test("two nodes at once give up what is old enough, in slices; pending requests, others' ids and numbers stay", async () => {
  const now = clock.now();
  const old = await accept(2_500, now - 8 * day);
  const young = await accept(3, now - 6 * day);
  const [pending = "", again = "", bulk = "", waiting = "", expired = ""] = [1_200, 7, 20, 30, 40].map((at) => old[at]);
  await client.query(
    `insert into transfers (id, partner, service, rail, source_account_id, currency, amount, fee, daily_limit_amount,
       business_date, suspense_part, state, is_open, version, accepted_at, submitted_at, next_inquiry_at, resolved_synchronously)
     values ($1, $1, 18, 'interbank', $1, 'IDR', 1, 0, 1, 1, 0, 'pending', true, 1, now(), now(), now(), false)`,
    [pending],
  );
  await insertRow(client, "bulks", { id: bulk });
  await insertRow(client, "payment_requests", { id: waiting, expires_at: new Date(now + day) });
  await insertRow(client, "payment_requests", { id: expired, expires_at: new Date(now - 1) });
  const taken = "(select external_id_key from accepted_requests where id = $1)";
  await client.query(`delete from request_keys where key = ${taken}`, [again]);
  await client.query(`insert into request_keys select ${taken}, $2`, [again, young[0]]);

  assert.equal(await jobOf(7 * day, 9 * day).run(mayGoOn), 0);
  let slices = 0;
  assert.equal(await jobOf(7 * day, day).run(async () => (slices += 1) === 1), 997);
  const jobs = [jobOf(7 * day, day), jobOf(7 * day, day)];
  const [one = 0, other = 0] = await Promise.all(jobs.map((job) => job.run(mayGoOn)));
  assert.equal(one + other, 1_499);
  assert.deepEqual(await keptIds(), new Set([pending, bulk, waiting, ...young]));
  const { rows } = await client.query(
    "select request_id from request_keys k join accepted_requests r on r.id = $1 and k.key = r.external_id_key",
    [again],
  );
  assert.equal(rows[0]?.request_id, young[0]);
  const numbers = await client.query("select from request_keys where key >= '80000000-0000-0000-0000-000000000000'");
  assert.equal(numbers.rowCount, 2_503);
  assert.equal(await jobs[0]?.run(mayGoOn), 0);
});
