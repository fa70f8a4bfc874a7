import assert from "node:assert/strict";
import { test } from "node:test";
import { createPool } from "./body-budget.ts";

test("nobody takes more than a share, and what is certain is given when others have filled the pool", () => {
  const pool = createPool({ total: 10, each: 6, certain: 2 });
  const [first, second, third] = ["a", "b", "c"].map((key) => pool.share(key));
  assert.ok(first && second && third);
  assert.equal(first.take(6), true);
  assert.equal(first.take(1), false);
  assert.equal(second.take(4), true);
  assert.equal(second.take(1), false);
  assert.equal(third.take(3), false);
  assert.equal(third.take(2), true);
  assert.equal(pool.bytes(), 12);
  first.give(6);
  assert.equal(third.take(3), true);
  second.give(4);
  third.give(5);
  assert.equal(pool.bytes(), 0);
});
