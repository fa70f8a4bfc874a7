// A payer's cell that is restored to an earlier moment: its stream stops, what it lost is listed and written back, and the stream goes on.
import assert from "node:assert/strict";
import { test } from "node:test";
import { waitUntil } from "@titian/embedded-postgres";
import { runAudit } from "../../packages/server/src/admin/audit/audit.ts";
import { compareTransit } from "../../packages/server/src/admin/audit/compare-transit.ts";
import {
  adoptLostPayments,
  listLostPayments,
  type LostPayment,
} from "../../packages/server/src/admin/cells/adopt-transit.ts";
import { createAdminPool } from "../../packages/server/src/store/postgres/connect.ts";
import { startNode } from "../support/administration.ts";
import { copyDatabase } from "../support/database/copy-database.ts";
import { endPools } from "../support/database/end-pool.ts";
import { withDatabase } from "../support/database/template.ts";
import { valueOf } from "../support/expect.ts";

import { acrossCommand, asOwner, pay, ship, startEngine, useCell } from "./transit-fixture.ts";

const isMirrored = async ({ shipper }: ReturnType<typeof ship>, version: number) =>
  assert.ok(await shipper.waitForMirror({ currency: "IDR", version }, 20_000));

/** Findings but those of the openings of the tests' accounts, of which no act is known. */
async function audit(ownerUrl: string) {
  const { findings } = await runAudit(ownerUrl);
  return findings.filter(({ found }) => !found.startsWith("opening: "));
}

/** The first cell has sent 300 payments more than its copy knows. `before`: of the copy. */
async function restoreBehind(before: number, stack: AsyncDisposableStack) {
  const [a, b] = [stack.use(await useCell()), stack.use(await useCell())];
  const to = await startEngine(b.url);
  stack.defer(() => to.close());
  const sendAll = async (count: number, version: number) => {
    const from = await startEngine(a.url);
    const shipping = ship(a.url, { url: b.url, engine: to });
    await pay(from, count);
    await isMirrored(shipping, version);
    await shipping[Symbol.asyncDispose]();
    await from.close();
  };
  if (before > 0) await sendAll(before, before);
  const copy = stack.use(await copyDatabase(a.ownerUrl));
  await sendAll(300, before + 300);
  const name = new URL(copy.url).pathname.slice(1);
  return { b, to, restored: { url: withDatabase(a.url, name), ownerUrl: copy.url } };
}

const balanceOf = (ownerUrl: string, accountNo: string) =>
  asOwner(ownerUrl, async (client) => {
    const text = "select balance from accounts where account_no = $1";
    const { rows } = await client.query<{ balance: string }>(text, [accountNo]);
    return Number(rows[0]?.balance ?? 0);
  });

for (const before of [40, 0]) {
  test(`what was lost behind ${before} payments is listed, written back once, and the stream goes on`, async () => {
    await using stack = new AsyncDisposableStack();
    const { b, to, restored } = await restoreBehind(before, stack);
    await using node = await startNode(restored.url);
    const shipping = ship(restored.url, { url: b.url, engine: to });
    stack.defer(() => shipping[Symbol.asyncDispose]());
    shipping.shipper.poke("IDR");
    await waitUntil(() => shipping.told.length > 0 || undefined, { timeoutMs: 10_000, everyMs: 20 });
    assert.match(shipping.told[0] ?? "", /^stopped: (ahead|otherAccount|missing)$/);

    const pool = createAdminPool(b.url, 2);
    stack.defer(() => pool.end());
    const { actEngine, database, clock } = node;
    const [cell, other] = [
      { cell: 1, actEngine, database, clock },
      { cell: 2, pool },
    ];
    const list = async () => {
      const lost: LostPayment[] = [];
      for await (const payment of listLostPayments(cell, other)) lost.push(payment);
      return lost;
    };
    const lost = await list();
    assert.deepEqual([lost.length, lost[0]?.version, lost.at(-1)?.version], [300, before + 1, before + 300]);
    assert.deepEqual([lost[0]?.creditedNo, lost[0]?.amount], ["8", 1n]);
    const adopt = () => adoptLostPayments(cell, other, "restored to 24 November, 09:30");
    const counts = (await Promise.all([adopt(), adopt()])).map((result) => valueOf(result).count);
    assert.ok(Math.max(...counts) > 0 && Math.min(...counts) >= 0);
    assert.deepEqual(await list(), []);
    assert.equal(valueOf(await adopt()).count, 0);
    const owed = lost.reduce((sum, { amount }) => sum + Number(amount), 0);
    assert.equal(await balanceOf(restored.ownerUrl, "restored:IDR"), -owed);

    await pay(node.engine, 5);
    await isMirrored(shipping, before + 305);
    const pools = [createAdminPool(restored.url, 1), createAdminPool(b.url, 1)] as const;
    assert.deepEqual(await compareTransit(...pools, 1, 2), []);
    await endPools(...pools);
    assert.deepEqual([await audit(restored.ownerUrl), await audit(b.ownerUrl)], [[], []]);
  });
}

test("a cell that has taken other payments since is not written to", async () => {
  await using stack = new AsyncDisposableStack();
  const { b, restored } = await restoreBehind(40, stack);
  await using node = await startNode(restored.url);
  // Operations do not take it: they see that the mirror is ahead.
  await node.engine.submit(acrossCommand({ from: "1", to: "9", amount: 7n }));
  const pool = createAdminPool(b.url, 2);
  stack.defer(() => pool.end());
  const { actEngine, database, clock } = node;
  const result = await adoptLostPayments({ cell: 1, actEngine, database, clock }, { cell: 2, pool }, "restored");
  assert.match(result.ok ? "" : result.rejection.message, /other payments than cell 2/);
  assert.equal(await balanceOf(restored.ownerUrl, "restored:IDR"), 0);
});
