// Goal: a notification is handled once, and comes back if it was not. Method: copies, at once and later, with handlers and
// stores that fail.
import assert from "node:assert/strict";
import { test } from "node:test";
import { formatTimestamp } from "@titian/contract";
import { createMemoryStore, type NotificationStore } from "../../src/index.ts";
import { deliver, rtgs, sign, skn, sknPath, startTime, testReceiver } from "../helpers/provider.ts";

test("a copy of a handled notification gets the success again, signed anew or not, and no second handler call", async () => {
  const { receiver, handled } = testReceiver();
  const timestamp = formatTimestamp(startTime + 10_000);
  for (const delivery of [sign(rtgs), sign(rtgs), sign(rtgs, { timestamp })]) {
    const answer = await deliver(receiver, delivery);
    assert.deepEqual(answer.body, { responseCode: "2007600", responseMessage: "Successful" });
  }
  assert.equal(handled.length, 1);
});

test("an external id used for another notification is another notification", async () => {
  const { receiver, handled } = testReceiver();
  await deliver(receiver, sign(rtgs));
  await deliver(receiver, sign(skn, { path: sknPath }));
  await deliver(receiver, sign({ ...rtgs, latestTransactionStatus: "04" }));
  assert.deepEqual(handled, [rtgs, skn, { ...rtgs, latestTransactionStatus: "04" }]);
});

test("100 copies at once: one handler call; copies meanwhile are answered 503 with Retry-After", async () => {
  let calls = 0;
  let finish: () => void = () => undefined;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const { receiver, rejected } = testReceiver({
    on: {
      async rtgs() {
        calls += 1;
        await finished;
      },
    },
  });
  const deliveries = Array.from({ length: 100 }, () => deliver(receiver, sign(rtgs)));
  const [first] = await Promise.race(deliveries.map(async (one) => [await one]));
  assert.equal(first?.responseCode, "5037600");
  assert.equal(first?.headers.get("retry-after"), "5");
  finish();
  const codes = (await Promise.all(deliveries)).map(({ responseCode }) => responseCode);
  assert.equal(codes.filter((code) => code === "2007600").length, 1);
  assert.equal(codes.filter((code) => code === "5037600").length, 99);
  assert.equal(calls, 1);
  assert.equal(rejected.filter(({ step }) => step === "duplicate").length, 99);
  assert.equal((await deliver(receiver, sign(rtgs))).responseCode, "2007600");
  assert.equal(calls, 1);
});

test("a handler that throws is answered 500 without its reason, and called again by the next attempt", async () => {
  let calls = 0;
  const { receiver, rejected } = testReceiver({
    on: {
      rtgs() {
        calls += 1;
        if (calls === 1) throw new Error("no database");
      },
    },
  });
  const answer = await deliver(receiver, sign(rtgs));
  assert.deepEqual(answer.body, { responseCode: "5007600", responseMessage: "General Error" });
  assert.equal(rejected[0]?.step, "handler");
  assert.match(String(rejected[0]?.error), /no database/);
  assert.equal((await deliver(receiver, sign(rtgs))).responseCode, "2007600");
  assert.equal(calls, 2);
});

test("a handler that hangs is answered 500 after the time limit, and its signal aborted", async () => {
  const signals: AbortSignal[] = [];
  const { receiver } = testReceiver({
    handlerTimeoutMs: 20,
    on: {
      rtgs(_notification, { signal }) {
        signals.push(signal);
        return signals.length === 1 ? new Promise<void>(() => undefined) : undefined;
      },
    },
  });
  assert.equal((await deliver(receiver, sign(rtgs))).responseCode, "5007600");
  assert.equal((await deliver(receiver, sign(rtgs))).responseCode, "2007600");
  assert.deepEqual(
    signals.map(({ aborted }) => aborted),
    [true, false],
  );
});

/** A memory store with one method that fails, or never answers. */
const failing = (method: keyof NotificationStore, fail: () => Promise<never>): NotificationStore => ({
  ...createMemoryStore(),
  [method]: fail,
});
const broken = () => Promise.reject(new Error("no database"));
const silent = () => new Promise<never>(() => undefined);

test("without its store a receiver handles nothing", async () => {
  for (const fail of [broken, silent]) {
    const { receiver, handled, rejected } = testReceiver({ store: failing("begin", fail), handlerTimeoutMs: 20 });
    assert.equal((await deliver(receiver, sign(rtgs))).responseCode, "5007600");
    assert.deepEqual(handled, []);
    assert.equal(rejected[0]?.step, "store");
  }
});

test("a store that fails after the handler succeeded does not bring the notification back", async () => {
  const { receiver, handled, rejected } = testReceiver({ store: failing("done", broken) });
  assert.equal((await deliver(receiver, sign(rtgs))).responseCode, "2007600");
  assert.deepEqual([handled.length, rejected.map(({ step }) => step)], [1, ["store"]]);
});

test("a store that fails after the handler failed: the notification is not accepted", async () => {
  const { receiver, rejected } = testReceiver({ store: failing("failed", broken), on: { rtgs: broken } });
  assert.equal((await deliver(receiver, sign(rtgs))).responseCode, "5007600");
  assert.deepEqual(
    rejected.map(({ step }) => step),
    ["store", "handler"],
  );
});

test("the memory store is bounded: it forgets the oldest that is done, and takes no more while all are busy", async () => {
  const store = createMemoryStore({ maxEntries: 2 });
  const key = (externalId: string) => ({ externalId, bodyHash: "0".repeat(64) });
  assert.deepEqual([await store.begin(key("1")), await store.begin(key("2"))], ["new", "new"]);
  assert.equal(await store.begin(key("3")), "busy");
  await store.done(key("2"));
  assert.equal(await store.begin(key("2")), "done");
  assert.equal(await store.begin(key("3")), "new");
  assert.equal(await store.begin(key("1")), "busy");
  await store.failed(key("1"));
  assert.equal(await store.begin(key("2")), "new");
});
