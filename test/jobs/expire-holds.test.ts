/** Holds that end together are released by all nodes, each taking its share of them (spec D10). */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { Client } from "pg";
import { createExpireHolds } from "../../packages/server/src/jobs/expire-holds.ts";
import { runAudit } from "../../packages/server/src/admin/audit/audit.ts";
import { startNode } from "../support/administration.ts";
import { eventually } from "../support/black-box/answers.ts";
import { useDatabase } from "../support/database/database.ts";
import { mayGoOn } from "../support/run-job.ts";

const database = await useDatabase();
const owner = new Client(database.ownerUrl);
await owner.connect();
const nodes = await Promise.all([startNode(database.url), startNode(database.url)]);
after(async () => {
  await Promise.all(nodes.map((node) => node.close()));
  await owner.end();
  await database.drop();
});

const holds = 4_000;
const payers = 50;

/** Holds of 1.00 that ended a minute ago, all at once; nobody called for them. */
async function place(): Promise<void> {
  await owner.query(`insert into accounts (id, account_no, name, currency, purpose, type, status, balance, held, opened_at)
    select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, n::text, 'A payer', 'IDR', 'customer', 'S', 'active',
      0, case n when 0 then 0 else ${(holds / payers) * 100} end, now() from generate_series(0, ${payers}) n
    on conflict (id) do update set held = excluded.held`);
  await owner.query(`insert into holds (id, partner, partner_reference_key, partner_reference_no, merchant_id, payer_account_id,
      settlement_account_id, currency, held, captured, voided, expired, remaining, refunded, is_open, capture_count, void_count,
      refund_count, event_count, expires_at, created_at)
    select id, id, id, n::text, 'SHOP', ('00000000-0000-7000-8000-' || lpad((n % ${payers} + 1)::text, 12, '0'))::uuid,
      '00000000-0000-7000-8000-000000000000', 'IDR', 100, 0, 0, 0, 100, 0, true, 0, 0, 0, 0, now() - interval '1 minute',
      now() - interval '1 hour'
    from (select n, gen_random_uuid() as id from generate_series(1, ${holds}) n) made`);
}

test("two nodes share what ended together", async () => {
  await place();
  const submitted = await Promise.all(
    nodes.map(async ({ engine, reads, clock }) => {
      let count = 0;
      const submit: typeof engine.submit = (command) => {
        count += 1;
        return engine.submit(command);
      };
      const job = createExpireHolds({ engine: { ...engine, submit }, reads, clock });
      // A hold that a busy machine does not decide within the time of its command is left to the next run.
      await eventually(async () => {
        await job.run(mayGoOn);
        return (await job.pending()) === 0;
      }, 1);
      return count;
    }),
  );
  const { rows } = await owner.query("select count(*)::int as open from holds where is_open");
  assert.deepEqual(rows, [{ open: 0 }]);
  // Either would have submitted all of them; what both drew at once is submitted twice.
  const [one = 0, other = 0] = submitted;
  assert.ok(one + other < holds * 1.6, `${one} and ${other} commands for ${holds} holds`);
  assert.deepEqual((await runAudit(database.url)).findings, []);
});

test("a locked account holds up its own holds alone, and a clock that cannot be acted on all of them", async () => {
  await place();
  const [node] = nodes;
  assert.ok(node);
  const job = createExpireHolds(node);
  await job.run(async () => false);
  assert.equal(await job.pending(), holds);
  const locked = "00000000-0000-7000-8000-000000000001";
  const locker = new Client(database.url);
  await locker.connect();
  await locker.query("begin");
  await locker.query("select from accounts where id = $1 for update", [locked]);
  let isUnlocked = false;
  const runs = (async () => {
    while (!isUnlocked || (await job.pending()) > 0) await job.run(mayGoOn);
  })();
  const others = "select count(*)::int as open from holds where is_open and payer_account_id <> $1";
  await eventually(async () => (await owner.query(others, [locked])).rows[0].open === 0, 20);
  assert.equal(await job.pending(), holds / payers);
  await locker.end();
  isUnlocked = true;
  await runs;
  assert.deepEqual((await runAudit(database.url)).findings, []);
});
