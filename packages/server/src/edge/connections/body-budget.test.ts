import assert from "node:assert/strict";
import { test } from "node:test";
import { createPool } from "./body-budget.ts";

test("nobody takes more than a share, and what is certain is given when others have filled the pool", () => {
  const pool = createPool({ total: 10, ownerMax: 6, certain: 2 });
  const [first, second, third] = ["a", "b", "c"].map((key) => pool.share(key));
  assert.ok(first && second && third);
  assert.equal(first.reserve(6), true);
  assert.equal(first.reserve(1), false);
  assert.equal(second.reserve(4), true);
  assert.equal(second.reserve(1), false);
  assert.equal(third.reserve(3), false);
  assert.equal(third.reserve(2), true);
  assert.equal(pool.bytes(), 12);
  first.release(6);
  assert.equal(third.reserve(3), true);
  second.release(4);
  third.release(5);
  assert.equal(pool.bytes(), 0);
});
