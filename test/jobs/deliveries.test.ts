/** Notifications of many partners: those that are due are found, whatever else waits (spec D14). */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { newId } from "../../packages/server/src/ids.ts";
import { createAdminPool } from "../../packages/server/src/store/postgres/connect.ts";
import {
  claimDeliveries,
  countDueDeliveries,
  findDuePartners,
  releaseDeliveries,
} from "../../packages/server/src/store/tables/deliveries.ts";
import { useDatabase } from "../support/database/database.ts";

const database = await useDatabase();
const pool = createAdminPool(database.url, 1);
after(async () => {
  await pool.end();
  await database.drop();
});

const now = Date.UTC(2026, 10, 25, 3);

async function add(
  partner: string,
  more: { resource?: string; status?: string; nextAt?: number } = {},
): Promise<string> {
  const id = newId();
  const { resource = newId(), status = "00", nextAt } = more;
  await pool.query(
    `insert into outbox (id, partner, service, aggregate_id, status, created_at, next_attempt_at)
     values ($1, $2, 76, $3, $4, $5, $6)`,
    [id, partner, resource, status, new Date(now), nextAt === undefined ? null : new Date(nextAt)],
  );
  return id;
}

const claim = (partner: string, besides: readonly string[] = []) =>
  claimDeliveries(pool, { rooms: [{ partner, room: 8, hasAddress: true }], now, leaseMs: 1_000, besides });

test("a partner whose notification is due is found among hundreds that wait for their next attempt", async () => {
  for (let count = 0; count < 300; count += 1) await add(newId(), { nextAt: now + 3_600_000 });
  const healthy = newId();
  const id = await add(healthy);
  assert.deepEqual(await findDuePartners(pool, now, 8), [healthy]);
  assert.deepEqual(await claim(healthy, [id]), []);
  const [claimed] = await claim(healthy);
  assert.deepEqual([claimed?.id, claimed?.attempt], [id, 1]);
  assert.deepEqual(await claim(healthy), []);
  // Not sent after all: as if it had not been claimed.
  await releaseDeliveries(pool, [{ id, attempt: 1 }]);
  assert.equal((await claim(healthy))[0]?.attempt, 1);
});

test("a return waits for its result, and is not due before", async () => {
  const [partner, resource] = [newId(), newId()];
  const result = await add(partner, { resource, nextAt: now + 60_000 });
  const returned = await add(partner, { resource, status: "04" });
  assert.deepEqual(await claim(partner), []);
  assert.equal(await countDueDeliveries(pool, [partner], now), 0);
  await pool.query("update outbox set state = 'dead' where id = $1", [result]);
  assert.equal(await countDueDeliveries(pool, [partner], now), 1);
  assert.equal((await claim(partner))[0]?.id, returned);
});
