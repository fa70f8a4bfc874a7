/** Claims of jobs: what is due and open, once, without waiting for locked rows; a late node changes nothing. */
import assert from "node:assert/strict";
import { after, beforeEach, test } from "node:test";
import { Client } from "pg";
import { createClock, momentOf } from "../../packages/server/src/basics/clock.ts";
import { newId } from "../../packages/server/src/basics/ids.ts";
import {
  claimDeliveries,
  recordAttempts,
  releaseDeliveries,
} from "../../packages/server/src/store/tables/notifications/deliveries.ts";
import {
  countDueDeliveries,
  findDuePartners,
  keepUnaddressed,
} from "../../packages/server/src/store/tables/notifications/due-deliveries.ts";
import {
  claimDueTransfers,
  countDueTransfers,
  makeTransfersDue,
  releaseTransfers,
} from "../../packages/server/src/store/tables/due-transfers.ts";
import { replayDeliveries } from "../../packages/server/src/store/tables/notifications/replays.ts";
import { closeSetAside, keepSetAside } from "../../packages/server/src/store/tables/rail-records/set-aside-results.ts";
import {
  claimItems,
  countUnsubmitted,
  findWaitingBulks,
} from "../../packages/server/src/store/tables/unsubmitted-items.ts";
import { useJobDatabase } from "../support/database/job-database.ts";
import { insertRow, type Row } from "../support/database/valid-rows.ts";

const database = await useJobDatabase();
const { pool, client } = database;
const locker = new Client({ connectionString: database.ownerUrl });
await locker.connect();
// Rows of a release before 0014-inquiry-times.sql.
await client.query("alter table transfers drop constraint transfers_asked");
after(async () => {
  await locker.end();
  await database.drop();
});

const now = Date.UTC(2026, 10, 23, 3);
const at = momentOf(createClock());
const due = new Date(now - 1_000);
const rail = "skn";
const intervals = { min: 10_000, max: 300_000 };

beforeEach(() => client.query("truncate transfers, bulks, outbox, delivery_attempts"));

/** Adds a transfer of the rail, with what a claim needs of its request; answers its id. */
async function addTransfer(changes: Row = {}): Promise<string> {
  const { id } = await insertRow(client, "transfers", { rail, next_inquiry_at: due, ...changes });
  await insertRow(client, "accepted_requests", { id });
  return String(id);
}

const final = { state: "settled", is_open: false, resolved_by: "rail" };
const closed = () => ({ ...final, resolution_journal_id: newId() });

/** Calls the work while another transaction has locked the row. */
async function whileLocked<Result>(table: string, id: string, work: () => Promise<Result>): Promise<Result> {
  await locker.query("begin");
  await locker.query(`select from ${table} where id = $1 for update`, [id]);
  try {
    return await work();
  } finally {
    await locker.query("rollback");
  }
}

const claim = async (limit = 9) =>
  (await claimDueTransfers(pool, { rail, now, limit, intervals })).map(({ transfer }) => transfer.id);
const inquiryOf = async (id: string) =>
  (await client.query<{ at: Date }>("select next_inquiry_at as at from transfers where id = $1", [id])).rows[0]?.at;

test("a transfer is claimed once, when its inquiry is due, while it is open, and by its own rail", async () => {
  const id = await addTransfer();
  await addTransfer({ rail: "rtgs" });
  await addTransfer({ next_inquiry_at: new Date(now + 1) });
  await addTransfer(closed());
  assert.equal(await countDueTransfers(pool, { rail, now, besides: [] }), 1);
  assert.equal(await countDueTransfers(pool, { rail, now, besides: [id] }), 0);
  assert.deepEqual(await whileLocked("transfers", id, claim), []);
  assert.deepEqual(await claim(), [id]);
  assert.deepEqual(await claim(), []);
});

test("a transfer is made due, or given back, while it is open and nobody has locked it", async () => {
  const later = new Date(now + 60_000);
  const [open, end] = [
    await addTransfer({ next_inquiry_at: later }),
    await addTransfer({ ...closed(), next_inquiry_at: later }),
  ];
  for (const makeDue of [() => makeTransfersDue(pool, rail, now), () => releaseTransfers(pool, [open, end], now)]) {
    await client.query("update transfers set next_inquiry_at = $1", [later]);
    await whileLocked("transfers", open, makeDue);
    assert.deepEqual(await inquiryOf(open), later);
    await makeDue();
    assert.deepEqual([await inquiryOf(open), await inquiryOf(end)], [new Date(now), later]);
  }
});

test("an item is claimed once, while it is queued and its bulk is open", async () => {
  const bulk = await insertRow(client, "bulks");
  const itemOf = (position: number, changes: Row = {}) =>
    addTransfer({ bulk_id: bulk["id"], bulk_position: position, state: "queued", next_inquiry_at: null, ...changes });
  const claimAll = async () => {
    const { rows, commit } = await claimItems(pool, { bulk: String(bulk["id"]), now, limit: 9, at });
    assert.equal(commit !== undefined, rows.length > 0);
    return rows.map(({ transfer }) => transfer.id);
  };
  await itemOf(2, { next_inquiry_at: due });
  await itemOf(3, closed());
  assert.deepEqual(await findWaitingBulks(pool, 9), []);
  await itemOf(4, { state: "pending" });
  assert.deepEqual(await claimAll(), []);
  const item = await itemOf(1);
  assert.deepEqual(
    (await findWaitingBulks(pool, 9)).map(({ id }) => id),
    [bulk["id"]],
  );
  assert.equal(await countUnsubmitted(pool), 2, "an item that its rail has is counted, and not submitted");
  assert.deepEqual(await whileLocked("transfers", item, claimAll), []);
  assert.deepEqual(await claimAll(), [item]);
  assert.deepEqual(await claimAll(), []);
  await client.query("update bulks set is_open = false, settled_count = 2, ended_at = now()");
  assert.deepEqual(await findWaitingBulks(pool, 9), []);
});

const partner = newId();
const addNotification = async (changes: Row = {}) =>
  String((await insertRow(client, "outbox", { partner, created_at: due, ...changes }))["id"]);
const claimNotifications = async (of = partner) => {
  const capacities = [{ partner: of, isReplay: false, capacity: 9, hasAddress: true }];
  return (await claimDeliveries(pool, { capacities, now, at, leaseMs: 1_000, besides: [] })).rows;
};
const stateOf = async (id: string) =>
  (await client.query("select state, attempt_count, next_attempt_at from outbox where id = $1", [id])).rows[0];
const record = { at: now, url: "", durationMs: 1 };

test("a notification is claimed once, while it waits and is due", async () => {
  for (const state of ["delivered", "dead", "kept"]) await addNotification({ state });
  await addNotification({ next_attempt_at: new Date(now + 1) });
  assert.deepEqual(await findDuePartners(pool, now, 9), []);
  assert.deepEqual(await claimNotifications(), []);
  const id = await addNotification();
  assert.deepEqual(await findDuePartners(pool, now, 9), [{ partner, isReplay: false }]);
  assert.equal(await countDueDeliveries(pool, [partner], now), 1);
  assert.deepEqual(await whileLocked("outbox", id, claimNotifications.bind(undefined, partner)), []);
  assert.deepEqual(
    (await claimNotifications()).map((one) => one.id),
    [id],
  );
  assert.deepEqual(await claimNotifications(), []);
});

test("partners whose notifications wait are found one after the other, and those of which none waits are not", async () => {
  await addNotification();
  const others = [newId(), newId(), newId()];
  for (const other of others) await addNotification({ partner: other });
  await client.query("update outbox set state = 'delivered' where partner = $1", [others[1]]);
  assert.deepEqual(
    new Set((await findDuePartners(pool, now, 9)).map((found) => found.partner)),
    new Set([partner, others[0], others[2]]),
  );
});

test("a late attempt of a claim that another node has taken over changes nothing", async () => {
  const id = await addNotification();
  await claimNotifications();
  await client.query("update outbox set next_attempt_at = $1", [due]);
  await claimNotifications();
  const before = await stateOf(id);
  await recordAttempts(pool, [{ ...record, id, attempt: 1, failure: "refused", nextAt: undefined }]);
  await releaseDeliveries(pool, [{ id, attempt: 1 }], "now");
  assert.deepEqual(await stateOf(id), before);
  await recordAttempts(pool, [{ ...record, id, attempt: 2, failure: "refused", nextAt: undefined }]);
  assert.equal((await stateOf(id)).state, "dead");
  await recordAttempts(pool, [{ ...record, id, attempt: 1, nextAt: undefined }]);
  assert.equal((await stateOf(id)).state, "delivered", "an acceptance counts, however late");
  await recordAttempts(pool, [{ ...record, id, attempt: 2, failure: "refused", nextAt: undefined }]);
  await releaseDeliveries(pool, [{ id, attempt: 2 }], "now");
  assert.deepEqual([(await stateOf(id)).state, (await stateOf(id)).attempt_count], ["delivered", 2]);
});

test("recording and giving back wait for a row that is locked, and see what its holder made of it", async () => {
  const [recorded, released] = [await addNotification(), await addNotification()];
  await claimNotifications();
  await locker.query("begin");
  await locker.query("update outbox set attempt_count = 2");
  const work = Promise.all([
    recordAttempts(pool, [{ ...record, id: recorded, attempt: 1, failure: "refused", nextAt: undefined }]),
    releaseDeliveries(pool, [{ id: released, attempt: 1 }], "now"),
  ]);
  await client.query("select pg_sleep(0.1)");
  await locker.query("commit");
  await work;
  for (const id of [recorded, released]) {
    const { state, attempt_count: attempts } = await stateOf(id);
    assert.deepEqual([state, attempts], ["waiting", 2]);
  }
});

test("a partner without an address keeps what waits, and nothing else of its own", async () => {
  const waiting = await addNotification();
  const locked = await addNotification();
  const others = [await addNotification({ state: "dead" }), await addNotification({ replay_url: "https://other" })];
  assert.equal(
    await whileLocked("outbox", locked, () => keepUnaddressed(pool, [partner], { now, createdUntil: now })),
    1,
  );
  assert.deepEqual([(await stateOf(waiting)).state, (await stateOf(locked)).state], ["kept", "waiting"]);
  assert.equal(await keepUnaddressed(pool, [partner], { now, createdUntil: now }), 1);
  assert.deepEqual(
    [(await stateOf(others[0] ?? "")).state, (await stateOf(others[1] ?? "")).state],
    ["dead", "waiting"],
  );
});

test("a replay of what is dead takes nothing else, and one of all takes nothing that is on its first way", async () => {
  const dead = await addNotification({ state: "dead" });
  const [delivered, first] = [await addNotification({ state: "delivered" }), await addNotification()];
  assert.equal(await replayDeliveries(pool, { partner, dead: true, now }), 1);
  assert.equal((await stateOf(dead)).state, "waiting");
  assert.equal(
    await replayDeliveries(pool, { partner, dead: false, now }),
    2,
    "a replay that waits gives way to a newer one",
  );
  assert.deepEqual([(await stateOf(delivered)).state, (await stateOf(first)).next_attempt_at], ["waiting", null]);
  const { rows } = await client.query("select state_before_replay from outbox order by 1 nulls last");
  assert.deepEqual(
    rows.map((row) => row.state_before_replay),
    ["dead", "delivered", null],
  );
});

test("a result is set aside once, and not where the rail has its transfer; it is closed once, by its state", async () => {
  const result = { rail, referenceNo: "R1", state: "settled", reason: "unknown", at: now } as const;
  const keep = (id?: string) => keepSetAside(pool, result, id, at);
  const id = await addTransfer();
  assert.equal(await keep(id), undefined);
  assert.equal((await keep())?.isNew, true);
  assert.equal((await keep())?.isNew, false);
  assert.equal(await closeSetAside(pool, { ...result, state: "rejected" }), false);
  assert.equal(await closeSetAside(pool, result), true);
  assert.equal(await closeSetAside(pool, result), false);
  assert.equal((await keep())?.isNew, false);
  assert.equal(await closeSetAside(pool, result), false, "kept again, it stays closed");
});
