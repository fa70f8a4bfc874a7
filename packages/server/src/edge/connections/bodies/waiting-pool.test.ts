import assert from "node:assert/strict";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type TestContext, test } from "node:test";
import fc from "fast-check";
import { WaitingPool } from "./waiting-pool.ts";

const limits = { total: 20, ownerMax: 16, certain: 0 };

/** A pool whose time passes when the test says so, and a record of the bodies that got room, had none in time, or were ended. */
function usePool(t: TestContext, options = limits) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let now = 0;
  const pool = new WaitingPool(options, { monotonic: () => now });
  const record: string[] = [];
  const open = (key: string, name: string, announced: number | undefined, limit = 8) => {
    const share = pool.share(key, { announced, limit }, () => {
      record.push(`${name} ended`);
      share.release();
    });
    const room = share.reserve(1);
    const note = (hasCapacity: boolean) => record.push(hasCapacity ? name : `${name} without`);
    if (typeof room === "boolean") note(room);
    else void room.then(note);
    return share;
  };
  const pass = async (ms: number) => {
    for (const end = now + ms; now < end; ) {
      now += 250;
      t.mock.timers.tick(250);
      await nextTurn();
    }
  };
  return { pool, record, open, pass };
}

test("bodies of an owner get room for all their bytes, in order of arrival", async (t) => {
  const { pool, record, open } = usePool(t);
  const first = open("a", "first", 8);
  open("a", "in chunks", undefined);
  open("a", "third", 8);
  open("a", "short", 1);
  assert.deepEqual(record, ["first", "in chunks"]);
  assert.deepEqual([pool.bytes, pool.waiting], [16, 2]);
  assert.equal(first.reserve(7), true);
  first.release();
  await nextTurn();
  assert.deepEqual(record, ["first", "in chunks", "third"]);
});

test("the owner with the least is next, and none waits for those whose own share is full", async (t) => {
  const { record, open } = usePool(t);
  const [first, second] = [open("a", "a1", 8), open("a", "a2", 8)];
  open("a", "a3", 2);
  open("b", "b1", 4);
  open("b", "b2", 6);
  open("c", "c1", 8);
  await nextTurn();
  assert.deepEqual(record, ["a1", "a2", "b1"]);
  first.release();
  await nextTurn();
  assert.deepEqual(record, ["a1", "a2", "b1", "c1"]);
  second.release();
  await nextTurn();
  assert.deepEqual(record, ["a1", "a2", "b1", "c1", "a3", "b2"]);
});

test("the certain part is given while the pool is full", (t) => {
  const { record, open } = usePool(t, { ...limits, certain: 2 });
  for (const name of ["a1", "a2"]) open("a", name, 8);
  open("b", "b1", 4);
  open("c", "c1", 8);
  open("d", "d1", 2);
  assert.deepEqual(record, ["a1", "a2", "b1", "d1"]);
});

test("a body waits for 25 s, 128 of an owner wait at once, and one that goes away leaves its place", async (t) => {
  const { pool, record, open, pass } = usePool(t);
  const steady = open("a", "first", 16, 16);
  const keepsPace = async (seconds: number) => {
    for (let i = 0; i < seconds; i += 1) {
      void steady.reserve(1);
      await pass(1_000);
    }
  };
  const gone = open("a", "gone", 8);
  open("a", "second", 8);
  await keepsPace(24);
  for (let i = 0; i < 127; i += 1) open("a", "later", 8);
  assert.deepEqual(record, ["first", "later without"]);
  gone.release();
  await keepsPace(1);
  assert.deepEqual(record.slice(2), ["gone without", "second without"]);
  assert.equal(pool.waiting, 126);
});

test("a body that stalls, also half-way, is ended while others wait", async (t) => {
  const { record, open, pass } = usePool(t);
  open("a", "stalled", 8);
  const other = open("a", "half-way", 8);
  void other.reserve(4);
  await pass(10_000);
  assert.deepEqual(record, ["stalled", "half-way"]);
  for (const name of ["third", "fourth"]) open("a", name, 8);
  await pass(2_750);
  assert.equal(record.length, 2);
  await pass(250);
  assert.deepEqual(record.slice(2), ["stalled ended", "third"]);
  await pass(3_000);
  assert.deepEqual(record.slice(4), ["half-way ended", "fourth"]);
});

test("where the pool is full, a stalled body of any owner is ended", async (t) => {
  const { record, open, pass } = usePool(t);
  for (const name of ["a1", "a2"]) open("a", name, 8);
  open("b", "b1", 8);
  await pass(4_000);
  assert.deepEqual(record, ["a1", "a2", "a1 ended", "b1"]);
});

test("a process that did not run for a while ends nobody's body for that", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let now = 0;
  const pool = new WaitingPool(limits, { monotonic: () => now });
  const ended: string[] = [];
  for (const key of ["first", "second", "third"]) {
    void pool.share("a", { announced: 8, limit: 8 }, () => ended.push(key)).reserve(1);
  }
  now = 9_000;
  t.mock.timers.tick(250);
  for (let i = 0; i < 11; i += 1) {
    now += 250;
    t.mock.timers.tick(250);
  }
  assert.deepEqual(ended, []);
  now += 250;
  t.mock.timers.tick(250);
  assert.deepEqual(ended, ["first"]);
});

test("whatever comes, stays away or leaves in whatever order: nobody has too much, and all others end without a wait", async () => {
  const body = fc.record({
    owner: fc.constantFrom("a", "b", "c"),
    size: fc.integer({ min: 1, max: 8 }),
    isChunked: fc.boolean(),
    leaves: fc.integer({ min: 0, max: 4 }).map((one) => one === 0),
  });
  const plans = fc.array(body, { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(plans, fc.array(fc.nat(), { maxLength: 200 }), async (bodies, order) => {
      const pool = new WaitingPool(limits, { monotonic: () => 0 });
      const room = new Map<string, number>();
      const open = bodies.map(({ owner, size, isChunked, leaves }) => {
        const share = pool.share(owner, { announced: isChunked ? undefined : size, limit: 8 }, assert.fail);
        const taken = isChunked ? 8 : size;
        let come = 0;
        let state: "new" | "waiting" | "open" | "ended" = "new";
        const began = () => {
          if (state === "ended") return;
          state = "open";
          room.set(owner, (room.get(owner) ?? 0) + taken);
          assert.ok((room.get(owner) ?? 0) <= limits.ownerMax);
        };
        const end = () => {
          if (state === "open") room.set(owner, (room.get(owner) ?? 0) - taken);
          state = "ended";
          share.release();
        };
        const step = () => {
          if (state === "ended") return;
          if (leaves && come > 0) return end();
          if (state === "waiting") return;
          come += 1;
          if (come > size) return end();
          const granted = share.reserve(1);
          assert.notEqual(granted, false);
          if (granted === true) return state === "new" ? began() : undefined;
          state = "waiting";
          void (granted as Promise<boolean>).then((has) => has && began());
        };
        return { step, hasEnded: () => state === "ended" };
      });
      for (const index of order) {
        open[index % open.length]?.step();
        await Promise.resolve();
        assert.ok(pool.bytes <= limits.total);
      }
      for (let i = 0; i < 400; i += 1) {
        for (const one of open) one.step();
        await Promise.resolve();
      }
      assert.ok(open.every(({ hasEnded }) => hasEnded()));
      assert.deepEqual([pool.bytes, pool.waiting], [0, 0]);
    }),
    { numRuns: 200 },
  );
});
