// Goal: an event is handled once, and comes back if it was not. Method: copies, at once and later, under other external ids
// and in other bytes, with handlers and stores that fail.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { formatTimestamp } from "@titian/contract";
import { createMemoryStore, type NotificationStore } from "../../src/index.ts";
import {
  anyKey,
  bulk,
  bulkPath,
  deliver,
  rtgs,
  rtgsPath,
  sign,
  skn,
  sknPath,
  startTime,
  testReceiver,
} from "../helpers/provider.ts";

test("one notification with five external ids, then with its fields in another order, is handled once", async () => {
  const { receiver, handled } = testReceiver();
  const reordered = Object.fromEntries(Object.entries(rtgs).toReversed());
  for (const body of [rtgs, rtgs, rtgs, rtgs, rtgs, reordered]) {
    const externalId = `copy-${handled.length}-${randomUUID().slice(0, 8)}`;
    assert.equal((await deliver(receiver, sign(body, { externalId }))).responseCode, "2007600");
  }
  assert.equal(handled.length, 1);
});

test("two attempts at once under different external ids: one handler call", async () => {
  const { receiver, handled } = testReceiver();
  const attempts = Array.from({ length: 20 }, (_, index) =>
    deliver(receiver, sign(rtgs, { externalId: `id-${index}` })),
  );
  const codes = (await Promise.all(attempts)).map(({ responseCode }) => String(responseCode));
  assert.equal(handled.length, 1);
  assert.ok(codes.every((code) => ["2007600", "5037600"].includes(code)) && codes.includes("2007600"), codes.join());
});

const results = (...numbers: readonly string[]) => ({
  ...bulk,
  bulkObject: numbers.map((number) => ({
    partnerReferenceNo: number,
    responseCode: "2002000",
    responseMessage: "Successful",
  })),
});
const { originalReferenceNo: _none, ...withoutOurs } = rtgs;
const { originalPartnerReferenceNo: _neither, ...withoutNumber } = withoutOurs;
const events: readonly (readonly [name: string, path: string, first: object, second: object, isAnother: boolean])[] = [
  ["another status", rtgsPath, rtgs, { ...rtgs, latestTransactionStatus: "04" }, true],
  ["another number of the provider", rtgsPath, rtgs, { ...rtgs, originalReferenceNo: "other" }, true],
  ["another number of the partner", rtgsPath, rtgs, { ...rtgs, originalPartnerReferenceNo: "other" }, false],
  ["another name in a field", rtgsPath, rtgs, { ...rtgs, beneficiaryAccountName: "other" }, false],
  ["the partner's number alone", rtgsPath, withoutOurs, { ...withoutOurs, beneficiaryAccountName: "other" }, false],
  ["another partner's number alone", rtgsPath, withoutOurs, { ...withoutOurs, originalPartnerReferenceNo: "o" }, true],
  ["no number", rtgsPath, withoutNumber, withoutNumber, false],
  ["no number, other bytes", rtgsPath, withoutNumber, { ...withoutNumber, beneficiaryAccountName: "other" }, true],
  ["a bulk, another message", bulkPath, bulk, { ...bulk, partnerBulkId: "other" }, false],
  ["a bulk, the rest of its items", bulkPath, results("PAY-1"), results("PAY-2"), true],
  ["a bulk, its items again", bulkPath, results("PAY-1", "PAY-2"), results("PAY-1", "PAY-2"), false],
  ["another bulk", bulkPath, bulk, { ...bulk, bulkId: "other" }, true],
];
for (const [name, path, first, second, isAnother] of events) {
  test(`${name} ${isAnother ? "is another event" : "is the same event"}`, async () => {
    const { receiver, handled } = testReceiver();
    await deliver(receiver, sign(first, { path }));
    assert.equal((await deliver(receiver, sign(second, { path }))).status, 200);
    assert.equal(handled.length, isAnother ? 2 : 1);
  });
}

test("the same number and status of another service are another event", async () => {
  const { receiver, handled } = testReceiver();
  await deliver(receiver, sign(rtgs));
  await deliver(receiver, sign({ ...skn, originalReferenceNo: rtgs.originalReferenceNo }, { path: sknPath }));
  assert.equal(handled.length, 2);
});

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
    const { receiver, handled, rejected } = testReceiver({ store: failing("claim", fail), handlerTimeoutMs: 20 });
    assert.equal((await deliver(receiver, sign(rtgs))).responseCode, "5007600");
    assert.deepEqual(handled, []);
    assert.equal(rejected[0]?.step, "store");
  }
});

test("a store that fails after the handler succeeded does not bring the notification back", async () => {
  const { receiver, handled, rejected } = testReceiver({ store: failing("complete", broken) });
  assert.equal((await deliver(receiver, sign(rtgs))).responseCode, "2007600");
  assert.deepEqual([handled.length, rejected.map(({ step }) => step)], [1, ["store"]]);
});

test("a store that fails after the handler failed: the notification is not accepted", async () => {
  const { receiver, rejected } = testReceiver({ store: failing("release", broken), on: { rtgs: broken } });
  assert.equal((await deliver(receiver, sign(rtgs))).responseCode, "5007600");
  assert.deepEqual(
    rejected.map(({ step }) => step),
    ["store", "handler"],
  );
});

test("the memory store is bounded: it forgets the oldest that is done, and takes no more while all are busy", async () => {
  const store = createMemoryStore({ maxEntries: 2 });
  const key = (number: string) => ({ ...anyKey, number });
  assert.deepEqual([await store.claim(key("1")), await store.claim(key("2"))], ["new", "new"]);
  assert.equal(await store.claim(key("3")), "busy");
  await store.complete(key("2"));
  assert.equal(await store.claim(key("2")), "done");
  assert.equal(await store.claim(key("3")), "new");
  assert.equal(await store.claim(key("1")), "busy");
  await store.release(key("1"));
  assert.equal(await store.claim(key("2")), "new");
});
