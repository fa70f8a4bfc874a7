/** Faults on purpose over the control API: kept in the database, counted exactly over two nodes. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { onboardPartner } from "../../packages/server/src/admin/partners/partners.ts";
import { eventually } from "../support/black-box/answers.ts";
import { useDatabase } from "../support/database/database.ts";
import { queryRows } from "../support/database/with-client.ts";
import { valueOf } from "../support/expect.ts";
import { newPartner } from "../support/partners.ts";
import { startControl } from "../support/start-control.ts";

const database = await useDatabase();
const one = await startControl(database.url);
const other = await startControl(database.url);
after(async () => {
  await one.close();
  await other.close();
  await database.drop();
});

const newOne = async () => valueOf(await onboardPartner(one.node, newPartner()));
const pathOf = (partnerId: string) => `/partners/${partnerId}/faults`;

const stored = async (partnerKey: string) =>
  (await queryRows(database.url, `select from planned_faults where partner = '${partnerKey}'`)).length;

test("faults are met in order, so many times, and shown until they are used up", async () => {
  const { partnerId, key } = await newOne();
  assert.equal(one.faults.faultFor(key, "interbankTransfer"), undefined);
  await one.call("POST", pathOf(partnerId), { fault: "loseAnswer", next: 2, operation: "18" });
  const { status, body } = await one.call("POST", pathOf(partnerId), { fault: "delay", next: 1 });
  assert.equal(status, 200);
  const planned = {
    partnerId,
    faults: [
      { fault: "loseAnswer", next: 2, operation: "interbankTransfer" },
      { fault: "delay", next: 1, delayMs: 5_000 },
    ],
  };
  assert.deepEqual(body, planned);
  const kinds: unknown[] = [];
  for (const operation of [
    "interbankTransfer",
    "accessTokenB2b",
    "statusInquiryBank",
    "interbankTransfer",
    "interbankTransfer",
  ] as const) {
    kinds.push((await one.faults.faultFor(key, operation))?.kind);
  }
  assert.deepEqual(kinds, ["loseAnswer", undefined, "delay", "loseAnswer", undefined]);
  assert.deepEqual((await one.call("GET", pathOf(partnerId))).body, { partnerId, faults: [] });
  assert.equal(await stored(key), 0, "what is used up is not kept");
});

test("calls for tokens meet a fault that names them", async () => {
  const { partnerId, key } = await newOne();
  await one.call("POST", pathOf(partnerId), { fault: "error503", next: 1, operation: "accessTokenB2b" });
  assert.equal(one.faults.faultFor(key, "interbankTransfer"), undefined);
  assert.equal((await one.faults.faultFor(key, "accessTokenB2b"))?.kind, "error503");
});

test("over two nodes exactly as many calls meet a fault as were asked for, and DELETE ends it on both", async () => {
  const { partnerId, key } = await newOne();
  await one.call("POST", pathOf(partnerId), { fault: "error500", next: 75 });
  // A look at the other node's is a call that meets one.
  await eventually(() => other.faults.faultFor(key, "interbankTransfer"));
  await eventually(() => other.node.reference.byPartnerId(partnerId));
  const left = (await one.faults.list(key))[0]?.left;
  const nodes = Array.from({ length: 200 }, (_, index) => (index % 2 === 0 ? one : other));
  const met = (await Promise.all(nodes.map(async ({ faults }) => faults.faultFor(key, "authCapture")))).filter(Boolean);
  assert.equal(met.length, left);
  assert.equal(await stored(key), 0);
  await one.call("POST", pathOf(partnerId), { fault: "breakOff", next: 1_000 });
  assert.deepEqual((await other.call("DELETE", pathOf(partnerId))).body, { partnerId, faults: [] });
  assert.equal(await one.faults.faultFor(key, "authCapture"), undefined);
});

test("an invalid fault is rejected with its reason, and nothing is planned", async () => {
  const { partnerId } = await newOne();
  const wrong: readonly (readonly [object, string])[] = [
    [{ next: 1 }, "fault"],
    [{ fault: "explode", next: 1 }, "fault"],
    [{ fault: "delay" }, "next"],
    [{ fault: "delay", next: 0 }, "next"],
    [{ fault: "delay", next: 1.5 }, "next"],
    [{ fault: "delay", next: 1_000_001 }, "next"],
    [{ fault: "delay", next: 1, delayMs: 60_001 }, "delayMs"],
    [{ fault: "loseAnswer", next: 1, delayMs: 5 }, "delayMs"],
    [{ fault: "delay", next: 1, operation: "rtgsNotification" }, "operation"],
    [{ fault: "delay", next: 1, often: true }, "often"],
  ];
  for (const [body, field] of wrong) {
    const answer = await one.call("POST", pathOf(partnerId), body);
    assert.deepEqual([answer.status, answer.body.error.field], [400, field], JSON.stringify(body));
  }
  assert.deepEqual((await one.call("GET", pathOf(partnerId))).body, { partnerId, faults: [] });
  assert.equal((await one.call("GET", pathOf("nobody"))).body.error.code, "unknownPartner");
});

test("60 faults planned at once over two nodes are 32, and the others are rejected", async () => {
  const { partnerId, key } = await newOne();
  await eventually(() => other.node.reference.byPartnerId(partnerId));
  const nodes = Array.from({ length: 60 }, (_, index) => (index % 2 === 0 ? one : other));
  const planned = await Promise.all(
    nodes.map(({ call }) => call("POST", pathOf(partnerId), { fault: "delay", next: 1 })),
  );
  assert.equal(planned.filter(({ status }) => status === 200).length, 32);
  assert.equal(await stored(key), 32);
  const rejected = planned.filter(({ body }) => body.error?.code === "tooManyFaults");
  assert.deepEqual([rejected.length, rejected[0]?.status], [28, 409]);
});

test("calls go on without faults while the database cannot count them", async () => {
  const { partnerId, key } = await newOne();
  await one.call("POST", pathOf(partnerId), { fault: "error500", next: 1 });
  await queryRows(database.ownerUrl, "alter table planned_faults rename to other_faults");
  assert.equal(await one.faults.faultFor(key, "authCapture"), undefined);
  assert.match(one.node.logLines.join("\n"), /sandbox\.fault_failed/);
});
