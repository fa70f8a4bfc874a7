// Goal: while both keys are looked up, a claim exists under both or under neither, whichever store fails. Real stores and two
// versions at once: test/receiver/upgrade-store.test.ts.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  createMemoryStore,
  type EarlierNotificationKey,
  type EarlierNotificationStore,
  type NotificationStore,
  withEarlierKeys,
} from "../../src/index.ts";
import { movableClock } from "../helpers/movable-clock.ts";
import { anyKey } from "../helpers/provider.ts";

function earlierStore(): EarlierNotificationStore {
  const store = createMemoryStore();
  const keyOf = ({ externalId, bodyHash }: EarlierNotificationKey) => ({
    ...anyKey,
    number: `${externalId} ${bodyHash}`,
  });
  return {
    begin: (key) => store.claim(keyOf(key)),
    done: (key) => store.complete(keyOf(key)),
    failed: (key) => store.release(keyOf(key)),
  };
}

const until = new Date("2026-12-23T00:00:00Z");
const clock = { now: () => until.getTime() - 1 };
const others = { ...anyKey, externalId: "other" };
const broken = () => Promise.reject(new Error("no database"));

test("a claim that the new store does not give is dropped in the earlier one", async () => {
  const earlier = earlierStore();
  const store = createMemoryStore();
  const both = withEarlierKeys(store, { earlier, until, clock });
  assert.equal(await store.claim(anyKey), "new");
  assert.equal(await both.claim(others), "busy");
  assert.equal(await earlier.begin(others), "new");
  await earlier.failed(others);
  await store.complete(anyKey);
  assert.equal(await both.claim(others), "done");
  assert.equal(await earlier.begin(others), "done");
});

test("a new store that fails leaves no claim in the earlier one", async () => {
  const earlier = earlierStore();
  const failing: NotificationStore = { ...createMemoryStore(), claim: broken };
  await assert.rejects(withEarlierKeys(failing, { earlier, until, clock }).claim(anyKey), /no database/);
  assert.equal(await earlier.begin(anyKey), "new");
});

test("keys of the earlier store are not claimed in the new one", async () => {
  const earlier = earlierStore();
  const store = createMemoryStore();
  const both = withEarlierKeys(store, { earlier, until, clock });
  assert.equal(await earlier.begin(anyKey), "new");
  assert.equal(await both.claim(anyKey), "busy");
  await earlier.done(anyKey);
  assert.equal(await both.claim(anyKey), "done");
  assert.equal(await store.claim(anyKey), "new");
});

test("from the given time on the earlier store is not called, not even at the end of a claim", async () => {
  const earlier: EarlierNotificationStore = { begin: async () => "new", done: broken, failed: broken };
  const moving = movableClock(until.getTime() - 1);
  const both = withEarlierKeys(createMemoryStore(), { earlier, until, clock: moving });
  assert.equal(await both.claim(anyKey), "new");
  await assert.rejects(both.complete(anyKey), /no database/);
  moving.advance(1);
  await both.complete(anyKey);
  await both.release(anyKey);
  assert.equal(await both.claim(anyKey), "new");
});

test("invalid options are found at once", () => {
  const options = { earlier: earlierStore(), until };
  for (const [change, message] of [
    [{ earlier: createMemoryStore() as unknown as EarlierNotificationStore }, /earlier must be/],
    [{ until: new Date("30 days") }, /until must be/],
    [{ until: "2026-12-23" as unknown as Date }, /until must be/],
  ] as const) {
    assert.throws(() => withEarlierKeys(createMemoryStore(), { ...options, ...change }), {
      name: "TypeError",
      message,
    });
  }
});
