/** Goal: nobody who slept hands over what somebody else has refused meanwhile. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { CrashPoint } from "../../src/rails/crash-points.ts";
import { decideTransfer } from "../../src/rails/decide-transfer.ts";
import { balance, dispatcherWith, laterBy, lookAfter, node, railThat, send } from "./hand-over-scene.ts";

test("whoever slept between its commit and the rail hands over nothing, and whoever wakes later looks first", async () => {
  const before = await balance();
  let sleptMs = 0;
  const monotonic = () => node.clock.monotonic() + sleptMs;
  const sleepAt = (asleep: CrashPoint) => (point: CrashPoint) => void (sleptMs += point === asleep ? 6_000 : 0);
  const { rail, handed } = railThat("rtgs", {});
  const [first, second] = (["accepted", "markedSent"] as const).map((point) =>
    dispatcherWith(rail, { reached: sleepAt(point), clock: { ...node.clock, monotonic } }),
  );
  assert.ok(first && second);
  const referenceNo = String((await send(first, "22")).fields?.["referenceNo"]);
  laterBy(60_000);
  await lookAfter(second);
  assert.deepEqual(handed, []);
  assert.equal((await decideTransfer(node, referenceNo, "refused"))?.state, "refused");
  laterBy(60_000);
  for (const dispatcher of [first, second]) {
    await lookAfter(dispatcher);
    await dispatcher.close();
  }
  assert.deepEqual(handed, []);
  assert.equal(await balance(), before);
});

test("an instruction says until when it may be taken: 5 s after the commit by which it is handed over", async () => {
  const handed: string[] = [];
  const { rail } = railThat("rtgs", {
    submit: async ({ validUntil }) => {
      handed.push(validUntil);
      return { kind: "settled" };
    },
  });
  const dispatcher = dispatcherWith(rail);
  const before = node.clock.real();
  await send(dispatcher, "22");
  const validUntil = Date.parse(handed[0] ?? "");
  assert.match(handed[0] ?? "", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+07:00$/);
  assert.ok(validUntil >= before + 5_000 && validUntil <= node.clock.real() + 5_000, handed[0]);
  await dispatcher.close();
});
