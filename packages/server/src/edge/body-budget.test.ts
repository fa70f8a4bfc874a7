import assert from "node:assert/strict";
import { test } from "node:test";
import { createBodyBudget } from "./body-budget.ts";

test("a budget takes what fits, whole or not at all, and again what was given back", () => {
  const budget = createBodyBudget(10);
  assert.equal(budget.take(8), true);
  assert.equal(budget.take(3), false);
  assert.equal(budget.take(2), true);
  budget.give(8);
  assert.equal(budget.take(3), true);
});
