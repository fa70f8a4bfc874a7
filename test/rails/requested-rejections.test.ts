/** An operator rejects an item of a bulk that was never submitted as far as the ledger knows: its rail is inquired of before. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { runAudit } from "../../packages/server/src/admin/audit/audit.ts";
import { resolveTransfer } from "../../packages/server/src/rails/commands/resolve-transfer.ts";
import { startNode } from "../support/administration.ts";
import { sendBulks } from "../support/bulk-fixture.ts";
import { useDatabase } from "../support/database/database.ts";
import { testDispatcher } from "../support/dispatcher.ts";
import { mayGoOn } from "../support/run-job.ts";
import { railThat } from "./rail-that.ts";

const database = await useDatabase();
const node = await startNode(database.url);
after(async () => {
  await node.close();
  await database.drop();
});
const { items } = await sendBulks(node, 4);

/** Rejects an item while a node inquires of a rail that answers so. */
async function reject(item: string, does: Parameters<typeof railThat>[1]) {
  const { rail, submitted } = railThat("interbank", does);
  const rails = { interbank: rail, rtgs: railThat("rtgs", {}).rail, skn: railThat("skn", {}).rail };
  await using stack = new AsyncDisposableStack();
  const dispatcher = testDispatcher({ ...node, rails, railTimeoutMs: 200 });
  stack.defer(() => dispatcher.close());
  // It gives up after 15 s of this clock.
  const clock = { ...node.clock, monotonic: () => 10 * performance.now() };
  const resolved = resolveTransfer({ ...node, clock }, items.get(item) ?? assert.fail(), { resolution: "rejected" });
  let ended = false;
  void resolved.finally(() => (ended = true));
  while (!ended) for (const job of dispatcher.reconcile) await job.run(mayGoOn);
  // Others of the bulks that wait for an inquiry may be submitted, too.
  return { state: (await resolved)?.state, submitted: submitted.filter((number) => number === items.get(item)) };
}

test("an item that its rail has settled is settled, whatever the operator decides", async () => {
  const { state, submitted } = await reject("WAITING-0", { inquire: async () => ({ kind: "settled" }) });
  assert.deepEqual([state, submitted], ["settled", []]);
});

test("an item that its rail does not have is rejected, and not submitted by the inquiry", async () => {
  const asked: string[] = [];
  const { state, submitted } = await reject("WAITING-1", {
    hasUnderOtherNumber: async ({ referenceNo, idempotencyKey }) => {
      asked.push(`${referenceNo} ${idempotencyKey.length}`);
      return false;
    },
  });
  assert.deepEqual([state, submitted], ["rejected", []]);
  assert.deepEqual(asked, [`${items.get("WAITING-1")} 32`]);
  assert.deepEqual((await runAudit(database.url)).findings, []);
});

test("an item that its rail has under another number is that payment: its number is submitted, and gets what became of it", async () => {
  const { state, submitted } = await reject("WAITING-2", {
    hasUnderOtherNumber: async () => true,
    submit: async () => ({ kind: "settled" }),
  });
  assert.deepEqual([state, submitted], ["settled", [items.get("WAITING-2")]]);
});

test("an item stays queued while its rail does not say, or cannot, whether it has it under another number", async () => {
  const silent = { hasUnderOtherNumber: () => Promise.reject<boolean>(new Error("no answer")) };
  for (const does of [silent, {}]) {
    const { state, submitted } = await reject("WAITING-3", does);
    assert.deepEqual([state, submitted], ["queued", []]);
  }
  assert.deepEqual((await runAudit(database.url)).findings, []);
});
