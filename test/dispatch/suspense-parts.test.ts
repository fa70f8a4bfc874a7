// The suspense account of a rail has parts: who pays from one never waits for another, and two nodes open them at once.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { Client } from "pg";
import { runAudit } from "../../packages/server/src/admin/audit/audit.ts";
import { createClock } from "../../packages/server/src/basics/clock.ts";
import { suspensePartCount, suspensePartOf } from "../../packages/server/src/ledger/accounts/suspense-part.ts";
import { suspenseNoOf } from "../support/suspense-account.ts";
import { askedAmount, callTo, createDispatchFixture, morningOffset } from "./dispatch-fixture.ts";
import { type DispatchNode, railFee, startDispatchNode } from "./nodes/dispatch-node.ts";
import { createRailJournal } from "./rail-journal.ts";

const fixture = await createDispatchFixture();
const { partner, url } = fixture;
const { rails, proceed } = createRailJournal();
const clock = createClock();
clock.setOffset(morningOffset());
const startNode = () => startDispatchNode({ url, clock, rails, interbankWaitMs: 1_000 });
const nodes = [await startNode(), await startNode()] as const;
after(async () => {
  await Promise.all(nodes.map((node) => node[Symbol.asyncDispose]()));
  await fixture[Symbol.asyncDispose]();
});

/** One of each part. */
const payers: string[] = [];
while (payers.length < suspensePartCount) {
  const payer = await fixture.openPayer();
  if (!payers.some((other) => suspensePartOf(other) === suspensePartOf(payer))) payers.push(payer);
}

/** By RTGS (22), of which the response says that it is accepted. */
const pay = async (payer: string, node: DispatchNode) => {
  const reply = await node.call(callTo("rtgsTransfer", "batch", { payer, partner }));
  assert.equal(reply.case, "success");
};

/** Ledger balances of all parts, by account number. */
async function suspense(): Promise<Readonly<Record<string, bigint>>> {
  const rows = await fixture.query("select account_no, balance from accounts where purpose = 'suspense'");
  return Object.fromEntries(rows.map((row) => [row["account_no"], BigInt(row["balance"] ?? 0)]));
}

const ofEach = (amount: bigint) => Object.fromEntries(payers.map((payer) => [suspenseNoOf(payer, "rtgs"), amount]));
const taken = askedAmount + railFee;

test("two nodes open all parts at the same moment, in opposite order: each holds what its payer was debited", async () => {
  const [one, other] = nodes;
  const opposite = payers.toReversed();
  await Promise.all([...payers.map((payer) => pay(payer, one)), ...opposite.map((payer) => pay(payer, other))]);
  assert.deepEqual(await suspense(), ofEach(2n * taken));
});

test("while the row of one part is locked, its payer waits and the others do not", async () => {
  const [locked = "", ...others] = payers;
  const holder = new Client({ connectionString: url });
  await holder.connect();
  await holder.query("begin");
  await holder.query("select from accounts where account_no = $1 for update", [suspenseNoOf(locked, "rtgs")]);
  let isAccepted = false;
  const waits = pay(locked, nodes[0]).then(() => (isAccepted = true));
  await Promise.all(others.flatMap((payer) => nodes.map((node) => pay(payer, node))));
  assert.equal(isAccepted, false);
  await holder.end();
  await waits;
  assert.deepEqual(await suspense(), { ...ofEach(4n * taken), [suspenseNoOf(locked, "rtgs")]: 3n * taken });
});

test("results take the money from the part that it is on, whichever node records them", async () => {
  for (let step = 0; step < 20 && (await fixture.countOpen()) > 0; step += 1) {
    proceed();
    clock.setOffset(clock.offset() + 360_000);
    await Promise.all(nodes.map((node) => node.look()));
  }
  assert.deepEqual(await suspense(), ofEach(0n));
  assert.deepEqual(await runAudit(url), { ok: true, findings: [] });
});
