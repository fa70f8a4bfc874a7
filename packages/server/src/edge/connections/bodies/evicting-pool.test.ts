import assert from "node:assert/strict";
import { test } from "node:test";
import { createEvictingPool } from "./evicting-pool.ts";

test("the certain part is given when others have filled the pool", () => {
  const pool = createEvictingPool({ total: 10, ownerMax: 6, certain: 2 }, { monotonic: () => 0 });
  const [first, second, third] = ["a", "b", "c"].map((key) => pool.share(key, () => undefined));
  assert.ok(first && second && third);
  assert.equal(first.reserve(6), true);
  assert.equal(first.reserve(1), false);
  assert.equal(second.reserve(4), true);
  assert.equal(second.reserve(1), false);
  assert.equal(third.reserve(3), false);
  assert.equal(third.reserve(2), true);
  assert.equal(pool.bytes(), 12);
  first.release();
  assert.equal(third.reserve(3), true);
  second.release();
  third.release();
  third.release();
  assert.equal(pool.bytes(), 0);
});

test("the slowest body of an owner gives way, and no other owner's", () => {
  let now = 0;
  const pool = createEvictingPool({ total: 10, ownerMax: 6, certain: 2 }, { monotonic: () => now });
  const ended: string[] = [];
  const open = (key: string, name: string, bytes: number) => {
    const share = pool.share(key, () => {
      ended.push(name);
      share.release();
    });
    return share.reserve(bytes);
  };
  assert.equal(open("a", "slow", 2), true);
  now = 1_000;
  assert.equal(open("a", "fast", 2), true);
  assert.equal(open("b", "another's", 3), true);
  assert.equal(open("a", "new", 4), true);
  assert.deepEqual(ended, ["slow"]);
  assert.equal(open("c", "too much", 7), false);
  assert.deepEqual(ended, ["slow"]);
  assert.equal(pool.bytes(), 9);
});
