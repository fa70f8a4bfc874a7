/** Events of holds are detached once all holds of their period are closed, and come back as they went away. */
import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { after, before, test } from "node:test";
import { runAudit } from "../../packages/server/src/admin/audit/audit.ts";
import { attachPartition, detachPartitions } from "../../packages/server/src/admin/partitions.ts";
import { createClock } from "../../packages/server/src/basics/clock.ts";
import { createMoveClosedHolds } from "../../packages/server/src/jobs/move-closed-holds.ts";
import { createReleaseExternalIds } from "../../packages/server/src/jobs/release-external-ids.ts";
import { makePartition } from "../../packages/server/src/store/partitions/partitions.ts";
import { ageMigration, day, daysAgo, type PastHold, startPastHolds } from "../holds/past-holds.ts";
import { idr } from "../holds/merchant.ts";
import { runCli } from "../support/cli/run-cli.ts";
import { useJobDatabase } from "../support/database/job-database.ts";
import { queryRows, spoilRows } from "../support/database/with-client.ts";
import { newProviderKey } from "../support/provider-key.ts";
import { mayGoOn } from "../support/run-job.ts";

const database = await useJobDatabase();
const { pool, client } = database;
await ageMigration(database.ownerUrl);
const past = await startPastHolds(database);
const { send, place, change, terms } = past;
const providerKey = newProviderKey();
after(async () => {
  await past[Symbol.asyncDispose]();
  await database.drop();
});

const periods = [210, 203].map((ago) => Math.floor(Date.now() / day - ago) * day);
const until = Math.max(...periods) + 7 * day;
const namesOf = (from: number) => {
  const date = new Date(from).toISOString().slice(0, 10).replaceAll("-", "");
  return { events: `hold_events_${date}`, entries: `entries_${date}` };
};
const [first, second] = periods.map(namesOf);
assert.ok(first && second);

let closed: PastHold;
let captureNo: unknown;
/** In the second period, and refunded lately: its refund is not detached. */
let refundable: PastHold;

before(async () => {
  for (const table of ["entries", "accepted_requests", "hold_events", "closed_holds"] as const) {
    for (const from of periods) assert.ok(await makePartition(pool, table, { from, to: from + 7 * day }));
  }
  await daysAgo(206, async () => {
    closed = await place("10.00");
    captureNo = (await change("authCapture", closed, { captureAmount: idr("6.00") }))["captureNo"];
    await change("authRefund", closed, { refundAmount: idr("1.00") });
    await change("authVoid", closed);
  });
  terms.refundDays = 1_825;
  await daysAgo(200, async () => {
    refundable = await place("10.00");
    await change("authCapture", refundable, { captureAmount: idr("10.00") });
  });
  await daysAgo(40, () => change("authRefund", refundable, { refundAmount: idr("9.00") }));
  await createReleaseExternalIds({ pool, clock: createClock(), keepMs: 7 * day, idempotencyWindowMs: day }).run(
    mayGoOn,
  );
});

const detach = async () => {
  const { detached, kept, obstacles } = await detachPartitions(database.ownerUrl, until, providerKey);
  assert.deepEqual(obstacles, []);
  return { detached: detached.filter((name) => name.startsWith("hold_")), kept };
};
const move = () => createMoveClosedHolds({ pool }).run(mayGoOn);
const assertClean = async (watermark: "use" | "renew" = "renew") =>
  assert.deepEqual((await runAudit(database.url, { watermark, lateCommitMs: 0 })).findings, []);
const refund = async (hold: PastHold, fields: object) => {
  const { id: _, ...original } = hold;
  const { case: result, reason } = await send("authRefund", { ...original, ...fields });
  return reason ?? result;
};
const show = (hold: PastHold) =>
  runCli(["hold", "show", hold.originalReferenceNo], {
    env: { DATABASE_URL: database.url, TITIAN_MASTER_KEY: randomBytes(32).toString("base64"), TITIAN_SANDBOX: "0" },
  });

test("events stay with a hold that has not moved, and go once all have; answers, lists and the audit do without them", async () => {
  await assertClean();
  const directly = `select detach_partitions('{${first.events}}', '{x}', '{x}', '{}')`;
  await assert.rejects(queryRows(database.ownerUrl, directly), /entries of its period are attached, 1 of its holds/);
  const stay = [first, second].map(({ events }) => `${events} stays: 1 of its holds are not among the closed ones`);
  assert.deepEqual(await detach(), { detached: [], kept: stay });
  await assertClean();
  assert.equal(await move(), 1);
  const repeat = { partnerRefundNo: randomUUID() };
  const answers = async () => [
    await refund(closed, {}),
    await refund(closed, { originalCaptureNo: captureNo }),
    await refund(closed, repeat),
  ];
  assert.deepEqual(await answers(), ["Refund window", "Refund window", "Refund window"]);
  assert.deepEqual(await detach(), { detached: [first.events], kept: stay.slice(1) });
  assert.deepEqual(await answers(), ["Refund window", "Refund window", "Refund window"]);
  await assertClean();
  await assertClean("use");
  assert.equal(await refund(refundable, { refundAmount: idr("1.00") }), "success");
  const { stdout, stderr } = await show(closed);
  assert.match(stdout, /^captured +6\.00 IDR$/m);
  assert.match(stderr, new RegExp(`Its 3 events are in the partition ${first.events}, which is detached. Attach it: `));
});

test("events of which no clean audit was made stay; what was changed does not come back, and all of a period comes back at once", async () => {
  // All of it is refunded now, and was 31 days ago.
  await spoilRows(database.ownerUrl, [
    `update hold_events set created_at = created_at - interval '31 days' where hold_id = '${refundable.id}'`,
    "update service_state set value = to_json(id_at(now() - interval '41 days')) where name = 'audit_watermark'",
  ]);
  assert.equal(await move(), 1);
  assert.deepEqual(await detach(), {
    detached: [],
    kept: [`${second.events} stays: no clean audit has gone through all of its events`],
  });
  await assertClean();
  assert.deepEqual(await detach(), { detached: [second.events], kept: [] });
  await assertClean();

  const attach = () => attachPartition(database.ownerUrl, first.entries, providerKey);
  const refundBy = (by: number) =>
    spoilRows(database.ownerUrl, [`update ${first.events} set refunded = refunded + ${by} where kind = 1`]);
  await refundBy(1);
  await assert.rejects(attach(), new RegExp(`${first.events} is not what was detached: 3 rows`));
  await refundBy(-1);
  assert.deepEqual((await attach()).toSorted().at(-1), first.events);
  assert.doesNotMatch((await show(closed)).stderr, /detached/);
  await assertClean("use");
  await assertClean();
  assert.equal((await client.query("select from holds")).rowCount, 0);
});
