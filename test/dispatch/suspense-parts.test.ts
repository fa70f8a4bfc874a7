// All transfers over a rail are on one suspense account, which two nodes may open at once. Those of an earlier release are on
// parts of it: their money leaves the part that it is on.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { runAudit } from "../../packages/server/src/admin/audit/audit.ts";
import { createClock } from "../../packages/server/src/basics/clock.ts";
import { useDatabase } from "../support/database/database.ts";
import { spoilRows } from "../support/database/with-client.ts";
import { suspenseNoOf } from "../support/suspense-account.ts";
import { askedAmount, callTo, createDispatchFixture, morningOffset } from "./dispatch-fixture.ts";
import { type DispatchNode, railFee, startDispatchNode } from "./nodes/dispatch-node.ts";
import { createRailJournal } from "./rail-journal.ts";

const database = await useDatabase();
const fixture = await createDispatchFixture(database);
const { partner, url } = fixture;
const { rails, proceed } = createRailJournal();
const clock = createClock();
clock.setOffset(morningOffset());
const startNode = () => startDispatchNode({ url, clock, rails, interbankWaitMs: 1_000 });
const startNodes = () => Promise.all([startNode(), startNode()]);
let nodes: readonly DispatchNode[] = await startNodes();
const stopNodes = async () => {
  const stopped = nodes;
  nodes = [];
  await Promise.all(stopped.map((node) => node[Symbol.asyncDispose]()));
};
after(async () => {
  await stopNodes();
  await fixture[Symbol.asyncDispose]();
  await database.drop();
});

const payers = [await fixture.openPayer(), await fixture.openPayer(), await fixture.openPayer()];

/** By RTGS (22), of which the response says that it is accepted. */
const pay = async (payer: string, node: DispatchNode) => {
  const reply = await node.call(callTo("rtgsTransfer", "batch", { payer, partner }));
  assert.equal(reply.case, "success");
};
const payFromBoth = () => Promise.all(payers.flatMap((payer) => nodes.map((node) => pay(payer, node))));

/** Ledger balances of all suspense accounts, by account number. */
async function suspense(): Promise<Readonly<Record<string, bigint>>> {
  const rows = await fixture.query("select account_no, balance from accounts where purpose = 'suspense'");
  return Object.fromEntries(rows.map((row) => [row["account_no"], BigInt(row["balance"] ?? 0)]));
}

const taken = askedAmount + railFee;
const current = suspenseNoOf("rtgs");
const earlier = current.replace(/00$/, "12");

test("two nodes open the suspense account at the same moment: it holds what all payers were debited", async () => {
  await payFromBoth();
  assert.deepEqual(await suspense(), { [current]: 6n * taken });
});

test("results take the money from the part that it is on, whichever node records them", async () => {
  // As an earlier release would have accepted them. Numbers of accounts never change: the nodes know this one.
  await stopNodes();
  await spoilRows(database.ownerUrl, [
    `update accounts set account_no = '${earlier}', name = '${earlier}' where account_no = '${current}'`,
    "update transfers set suspense_part = 12",
    `update accepted_requests set payload = replace(payload, '${current}', '${earlier}')`,
  ]);
  nodes = await startNodes();
  await payFromBoth();
  assert.deepEqual(await suspense(), { [current]: 6n * taken, [earlier]: 6n * taken });
  for (let step = 0; step < 20 && (await fixture.countOpen()) > 0; step += 1) {
    proceed();
    clock.setOffset(clock.offset() + 360_000);
    await Promise.all(nodes.map((node) => node.look()));
  }
  assert.deepEqual(await suspense(), { [current]: 0n, [earlier]: 0n });
  assert.deepEqual(await runAudit(url), { ok: true, findings: [] });
});
