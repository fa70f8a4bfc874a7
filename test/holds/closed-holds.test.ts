// A hold that nothing can change any more moves to another table: no partner sees a difference, and no call changes it.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { runAudit } from "../../packages/server/src/admin/audit/audit.ts";
import { findHold, listNewestHolds } from "../../packages/server/src/views/holds/holds.ts";
import { createMoveClosedHolds } from "../../packages/server/src/jobs/move-closed-holds.ts";
import { listNewestHoldNumbers } from "../../packages/server/src/views/money/numbers.ts";
import { eventually } from "../support/black-box/answers.ts";
import { useJobDatabase } from "../support/database/job-database.ts";
import { mayGoOn } from "../support/run-job.ts";
import { idr } from "./merchant.ts";
import { ageMigration, day, daysAgo, type PastHold, startPastHolds } from "./past-holds.ts";

const database = await useJobDatabase();
const { pool, client } = database;
await ageMigration(database.ownerUrl);
const past = await startPastHolds(database);
const { send, place, change, merchant, node, terms, clock } = past;
after(async () => {
  await past[Symbol.asyncDispose]();
  await database.drop();
});

const move = () => createMoveClosedHolds({ pool }).run(mayGoOn);
const countOf = async (table: string) => Number((await client.query(`select count(*) from ${table}`)).rows[0].count);

const deps = { pool, clock, reference: { current: () => merchant.reference, byPartnerId: () => undefined } };

/** Our own numbers and times are new for each call. */
const ownFields = ["captureNo", "captureTime", "voidNo", "voidTime", "refundNo", "refundTime"];

interface Made {
  readonly hold: PastHold;
  /** Requests of that time, which are sent again. */
  readonly repeats: readonly (readonly [Parameters<typeof send>[0], object])[];
  readonly captureNo?: unknown;
}

/** All that a partner may ask about a hold. */
async function askAll({ hold: { id: _, ...original }, repeats, captureNo }: Made) {
  const partner = merchant.partner;
  const { originalReferenceNo, originalPartnerReferenceNo } = original;
  const query = (request: object) => node.call({ name: "authPaymentQuery", partner, request: { ...request } });
  const changed = (name: "authCaptureQuery" | "authVoidQuery", fields: object) =>
    node.call({ name, partner, request: { ...original, merchantId: "HOTEL", ...fields } });
  const answers = [
    await query({ originalReferenceNo }),
    await query({ originalPartnerReferenceNo }),
    await query({ originalReferenceNo, merchantId: "OTHER" }),
    ...(await Promise.all([
      send("authCapture", { ...original, captureAmount: idr("1.00") }),
      send("authCapture", original),
      send("authVoid", original),
      send("authRefund", original),
      send("authRefund", { ...original, refundAmount: idr("1.00") }),
      send("authRefund", { ...original, originalCaptureNo: captureNo ?? originalReferenceNo }),
      send("authRefund", { ...original, originalCaptureNo: originalReferenceNo }),
      send("authPayment", { partnerReferenceNo: originalPartnerReferenceNo, amount: idr("10.00") }),
      send("authPayment", { partnerReferenceNo: originalPartnerReferenceNo, amount: idr("77.00") }),
    ])),
  ];
  for (const [name, fields] of repeats) answers.push(await send(name, fields));
  for (const [name, fields] of repeats) {
    if (name === "authCapture") answers.push(await changed("authCaptureQuery", fields));
    if (name === "authVoid") answers.push(await changed("authVoidQuery", fields));
  }
  return answers.map(({ case: result, reason, field, isFinal, fields = {} }): Readonly<Record<string, unknown>> => {
    const own = Object.entries(fields).filter(([name]) => !ownFields.includes(name));
    return { result, reason, field, isFinal, ...Object.fromEntries(own) };
  });
}

/** A hold of 10.00, with what is done to it. */
async function make(
  work: (hold: PastHold) => readonly (readonly [Parameters<typeof send>[0], object])[],
): Promise<Made> {
  const hold = await place("10.00");
  const { id: _, ...original } = hold;
  let captureNo: unknown;
  const repeats: Made["repeats"] = work(hold).map(([name, fields]) => [name, { ...original, ...fields }]);
  for (const [name, fields] of repeats) captureNo = (await change(name, hold, fields))["captureNo"] ?? captureNo;
  return { hold, repeats, ...(captureNo !== undefined && { captureNo }) };
}

const capture = (value?: string, more: object = {}) =>
  [
    "authCapture",
    { partnerCaptureNo: randomUUID(), ...(value !== undefined && { captureAmount: idr(value) }), ...more },
  ] as const;
const release = () => ["authVoid", { partnerVoidNo: randomUUID() }] as const;
const refund = (more: object = {}) => ["authRefund", { partnerRefundNo: randomUUID(), ...more }] as const;

test("every call about a closed hold is answered as before it moved", async () => {
  const made = await daysAgo(100, async () => [
    await make(() => [release()]),
    await make(() => [capture()]),
    await make(() => [capture("6.00"), capture("4.00"), refund({ refundAmount: idr("7.00") })]),
    await make(() => [capture(), refund()]),
    await make(() => [capture("4.00", { lastCapture: "true" })]),
    await make(() => [capture("6.00"), release(), refund()]),
    await make(() => [capture("6.00")]),
    await make(() => []),
  ]);
  await daysAgo(90, () => node.expire());
  const before = [];
  for (const one of made) before.push(await askAll(one));
  assert.deepEqual(
    before.map(([first, , , ...others]) => [
      first?.["latestTransactionStatus"],
      others[3]?.reason ?? others[3]?.result,
    ]),
    [
      ["05", "invalidTransactionStatus"],
      ["00", "Refund window"],
      ["00", "Refund window"],
      ["04", "invalidTransactionStatus"],
      ["00", "Refund window"],
      ["04", "invalidTransactionStatus"],
      ["00", "invalidMandatoryField"],
      ["05", "invalidTransactionStatus"],
    ],
  );
  assert.equal(await move(), made.length);
  assert.deepEqual([await countOf("holds"), await countOf("closed_holds")], [0, made.length]);
  for (const [position, one] of made.entries()) assert.deepEqual(await askAll(one), before[position]);
  assert.deepEqual((await runAudit(database.url)).findings, []);
});

test("the newest hold of a merchant, and lists, are of both tables", async () => {
  const [older, newer] = await daysAgo(80, async () => {
    terms.refundDays = 1_825;
    const open = await make(() => [capture()]);
    terms.refundDays = 30;
    return [open.hold, (await make(() => [release()])).hold] as const;
  });
  const newest = async () => {
    const call = { name: "authPaymentQuery", partner: merchant.partner, request: { merchantId: "HOTEL" } } as const;
    return (await node.call(call)).fields?.["originalReferenceNo"];
  };
  const check = async () => {
    assert.equal(await newest(), newer.originalReferenceNo);
    const first = await listNewestHolds(deps, { limit: 1 });
    const { holds } = await listNewestHolds(deps, { before: first.next, limit: 2 });
    const listed = [...first.holds, ...holds].map(({ referenceNo }) => referenceNo);
    assert.deepEqual(listed.slice(0, 2), [newer.originalReferenceNo, older.originalReferenceNo]);
    assert.equal(new Set(listed).size, 3);
    assert.deepEqual(
      (await listNewestHoldNumbers(pool, 2)).map(({ id }) => id),
      [newer.id, older.id],
    );
    assert.equal((await findHold(deps, newer.originalReferenceNo))?.state, "voided");
  };
  await check();
  assert.equal(await move(), 1);
  await check();
  const { originalReferenceNo } = await place("1.00");
  assert.equal(await newest(), originalReferenceNo);
});

test("what may still change, or could until lately, stays, also where the service names it", async () => {
  const old = await daysAgo(100, async () => {
    const hold = await make(() => [release()]);
    await make(() => []);
    await make(() => [capture("6.00")]);
    terms.refundDays = 1_825;
    await make(() => [capture()]);
    const refunded = await make(() => [capture()]);
    // Until 20 days ago.
    terms.refundDays = 80;
    await make(() => [capture()]);
    return { hold: hold.hold, refunded: refunded.hold };
  });
  terms.refundDays = 30;
  // Its id is of today, whatever a clock says that is wrong.
  clock.setOffset(-100 * day);
  await make(() => [release()]);
  clock.setOffset(0);
  await daysAgo(29, async () => {
    await change("authRefund", old.refunded);
    await make(() => [release()]);
  });
  const stays = (await client.query("select id from holds where id <> $1", [old.hold.id])).rows.map(({ id }) => id);
  const byService = `select move_closed_holds('{${stays.join()}}') as moved`;
  const countMoved = async () => [await move(), Number((await pool.query(byService)).rows[0]?.moved)];
  assert.deepEqual(await countMoved(), [1, 0]);
  assert.equal(await countOf("holds"), stays.length);
  const { rows } = await client.query("select closed_at from closed_holds where id = $1", [old.hold.id]);
  assert.ok(Math.abs(rows[0].closed_at.valueOf() - (Date.now() - 100 * day)) < 60_000);
});

test("the database itself keeps a hold in one table, with the same values", async () => {
  const { hold } = await daysAgo(100, () => make(() => [release()]));
  const isKept = { code: "23001" };
  const copy = (changes: string) => `insert into closed_holds select (jsonb_populate_record(null::closed_holds,
    to_jsonb(h) || jsonb_build_object('closed_at', now(), ${changes}))).* from holds h where id = '${hold.id}'`;
  for (const statement of [
    `delete from holds where id = '${hold.id}'`,
    "truncate holds",
    copy("'merchant_id', 'OTHER'"),
    "update closed_holds set merchant_id = 'OTHER'",
    "delete from closed_holds_default",
    "truncate closed_holds",
  ])
    await assert.rejects(client.query(statement), isKept, statement);
  for (const statement of [`delete from holds where id = '${hold.id}'`, copy("'id', id")])
    await assert.rejects(pool.query(statement), { code: "42501" }, statement);
  // A part of it was lost with a partition: what cannot be proven closed stays.
  for (const fault of ["event_count = 2", "captured = 1, voided = 999"]) {
    await client.query(`update holds set ${fault} where id = '${hold.id}'`);
    assert.equal(await move(), 0);
    await client.query(`update holds set event_count = 1, captured = 0, voided = 1000 where id = '${hold.id}'`);
  }
  await ageMigration(database.ownerUrl, 6);
  assert.equal(await move(), 0);
  await ageMigration(database.ownerUrl);
  assert.equal(await move(), 1);
  assert.deepEqual((await runAudit(database.url)).findings, []);
});

test("two nodes at once move each hold once, and one that is killed moves none", async () => {
  const holds = await daysAgo(100, () => Promise.all(Array.from({ length: 60 }, () => make(() => [release()]))));
  const ids = holds.map(({ hold }) => hold.id);
  const before = await countOf("closed_holds");
  const killed = new Client({ connectionString: database.url });
  killed.on("error", () => undefined);
  await killed.connect();
  await killed.query("begin");
  assert.equal((await killed.query("select move_closed_holds($1) as moved", [ids])).rows[0].moved, 60);
  // Locked by it: they are left to it.
  assert.equal(await move(), 0);
  const { rows } = await killed.query("select pg_backend_pid() as pid");
  await client.query("select pg_terminate_backend($1, 5000)", [rows[0].pid]);
  assert.equal(await countOf("closed_holds"), before);
  const moved = await Promise.all([move(), move(), move()]);
  assert.equal(
    moved.reduce((sum, count) => sum + count),
    60,
    moved.join(),
  );
  assert.equal(await countOf("closed_holds"), before + 60);
  assert.deepEqual((await runAudit(database.url)).findings, []);
});

test("a refund beside the move is accepted before it or rejected behind it, and no money is lost", async () => {
  const [{ hold: waiting }, { hold: other }] = await daysAgo(100, () =>
    Promise.all([make(() => [capture()]), make(() => [capture()])]),
  );
  // One that a call has locked is left to it, and holds up no other.
  await client.query(`begin; select from holds where id = '${waiting.id}' for no key update`);
  assert.equal(await move(), 1);
  await client.query("rollback");
  assert.equal((await findHold(deps, other.originalReferenceNo))?.state, "captured");
  const { id: _, ...original } = waiting;
  await client.query("begin");
  assert.equal((await client.query("select move_closed_holds($1) as moved", [[waiting.id]])).rows[0].moved, 1);
  const refunded = send("authRefund", original);
  // It has met the lock.
  await eventually(async () => (await pool.query("select from pg_locks where not granted")).rowCount !== 0, 20);
  await client.query("commit");
  assert.equal((await refunded).reason, "Refund window");

  // By the node's clock, which is wrong by 40 days, a capture can still be refunded that for the database could be until 35 days ago.
  const holds = await daysAgo(65, () => Promise.all(Array.from({ length: 40 }, () => make(() => [capture()]))));
  clock.setOffset(-40 * day);
  let isOver = false;
  const mover = (async () => {
    while (!isOver) await move();
  })();
  const results = await Promise.all(
    holds.map(async ({ hold: { id: _id, ...named } }, position) => {
      await sleep(position);
      const reply = await send("authRefund", named);
      return reply.reason ?? reply.case;
    }),
  );
  isOver = true;
  await mover;
  clock.setOffset(0);
  assert.deepEqual(
    [...new Set(results)].filter((result) => !["success", "Refund window"].includes(result)),
    [],
  );
  const ids = holds.map(({ hold }) => hold.id);
  assert.equal(await move(), 0);
  const { rows } = await client.query("select refunded from closed_holds where id = any($1)", [ids]);
  assert.equal(rows.length, 40);
  assert.equal(
    rows.filter((row) => row.refunded !== "0").length,
    results.filter((result) => result === "success").length,
  );
  assert.deepEqual((await runAudit(database.url)).findings, []);
});
