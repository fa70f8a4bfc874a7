import assert from "node:assert/strict";
import { test } from "node:test";
import { excessOf } from "./balance.ts";

test("a worker closes what it has above its share; small differences are chance", () => {
  assert.deepEqual(excessOf([24, 232]), [0, 104]);
  assert.deepEqual(excessOf([0, 90, 90]), [0, 30, 30]);
  assert.deepEqual(excessOf([120, 136]), [0, 0]);
  assert.deepEqual(excessOf([0, 12]), [0, 0]);
  assert.deepEqual(excessOf([]), []);
});
