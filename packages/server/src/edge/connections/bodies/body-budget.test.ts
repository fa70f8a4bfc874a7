import assert from "node:assert/strict";
import { test } from "node:test";
import { createBodyBudget } from "./body-budget.ts";

const mebibyte = 1_048_576;
const nothing = () => undefined;

test("a partner's short bodies do not wait behind its long ones, nor do the bodies of those who only name it", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const budget = createBodyBudget(8 * mebibyte, { monotonic: () => 0 });
  const reserve = (announced: number | undefined, limit: number) =>
    budget.share({ partnerKey: "a" }, { announced, limit }, nothing).reserve(1);
  assert.equal(reserve(undefined, 8 * mebibyte), true);
  assert.equal(reserve(8 * mebibyte, 8 * mebibyte), true);
  assert.ok(reserve(65_537, 8 * mebibyte) instanceof Promise);
  assert.equal(reserve(65_536, 8 * mebibyte), true);
  assert.equal(reserve(undefined, 65_536), true);
  assert.equal(budget.share({ listedFor: "a" }, { announced: 1, limit: 1 }, nothing).reserve(1), true);
  assert.equal(budget.waiting(), 1);
});
