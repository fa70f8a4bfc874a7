/** An operator rejects an item of a bulk that was never submitted as far as the ledger knows: its rail is inquired of before. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { runAudit } from "../../packages/server/src/admin/audit.ts";
import { resolveTransfer } from "../../packages/server/src/rails/commands/resolve-transfer.ts";
import type { RailState } from "../../packages/server/src/rails/rail.ts";
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
const { items } = await sendBulks(node);

/** Rejects an item while a node inquires of a rail that answers so. */
async function reject(item: string, inquire: () => Promise<RailState | undefined>) {
  const { rail, submitted } = railThat("interbank", { inquire });
  const rails = { interbank: rail, rtgs: railThat("rtgs", {}).rail, skn: railThat("skn", {}).rail };
  await using stack = new AsyncDisposableStack();
  const dispatcher = testDispatcher({ ...node, rails, railAnswerMs: 200 });
  stack.defer(() => dispatcher.close());
  const resolved = resolveTransfer(node, items.get(item) ?? assert.fail(), "rejected");
  let ended = false;
  void resolved.finally(() => (ended = true));
  while (!ended) for (const job of dispatcher.reconcile) await job.run(mayGoOn);
  return { state: (await resolved)?.state, submitted };
}

test("an item that its rail has settled is settled, whatever the operator decides", async () => {
  const { state, submitted } = await reject("WAITING-0", async () => ({ kind: "settled" }));
  assert.deepEqual([state, submitted], ["settled", []]);
});

test("an item that its rail does not have is rejected, and not submitted by the inquiry", async () => {
  const { state, submitted } = await reject("WAITING-1", async () => undefined);
  assert.deepEqual([state, submitted], ["rejected", []]);
  assert.deepEqual((await runAudit(database.url)).findings, []);
});
