import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { balanceConnections, excessOf } from "./balance.ts";

test("a worker closes what it has above its share; small differences are chance", () => {
  assert.deepEqual(excessOf([24, 232]), [0, 104]);
  assert.deepEqual(excessOf([0, 90, 90]), [0, 30, 30]);
  assert.deepEqual(excessOf([120, 136]), [0, 0]);
  assert.deepEqual(excessOf([0, 12]), [0, 0]);
  assert.deepEqual(excessOf([]), []);
});

/** `ask`: what the first of two workers answers about its connections in use; the other has none. */
function startBalancing(ask: () => Promise<number>) {
  const closed = Promise.withResolvers<number>();
  const busy = { ask, closeBusyConnections: closed.resolve };
  const idle = { ask: async () => 0, closeBusyConnections: () => assert.fail("it has none") };
  const stop = balanceConnections(() => [busy, idle]);
  // Its timer keeps no process alive.
  const waits = setInterval(() => undefined, 1_000);
  void closed.promise.finally(() => clearInterval(waits));
  return { closed, stop };
}

test("a stop waits for the callers whose connections were just closed: they may connect again", async () => {
  const { closed, stop } = startBalancing(async () => 100);
  assert.equal(await closed.promise, 50);
  const closedAt = performance.now();
  await stop();
  assert.ok(performance.now() - closedAt > 300);
});

test("once it is stopped no connection is closed", async () => {
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<number>();
  const { closed, stop } = startBalancing(() => {
    asked.resolve();
    return answer.promise;
  });
  await asked.promise;
  await stop();
  answer.resolve(100);
  await nextTurn();
  closed.resolve(0);
  assert.equal(await closed.promise, 0);
});
