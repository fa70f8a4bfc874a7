import assert from "node:assert/strict";
import { test } from "node:test";
import { minor } from "./money.ts";
import { refuseRailAmount } from "./rail-limits.ts";

const interbank = { least: minor(1_00n), most: minor(250_000_000_00n) };
const rtgs = { least: minor(100_000_000_01n) };
const skn = { least: minor(1_00n), most: minor(1_000_000_000_00n) };

// rail, amount in minor units, refusal
const cases = [
  ["interbank", interbank, -1n, "amountTooSmall"],
  ["interbank", interbank, 0n, "amountTooSmall"],
  ["interbank", interbank, 99n, "belowMinimum"],
  ["interbank", interbank, 1_00n, undefined],
  ["interbank", interbank, 250_000_000_00n, undefined],
  ["interbank", interbank, 250_000_000_01n, "overRailLimit"],
  ["rtgs", rtgs, 0n, "amountTooSmall"],
  ["rtgs", rtgs, 100_000_000_00n, "belowMinimum"],
  ["rtgs", rtgs, 100_000_000_01n, undefined],
  ["rtgs", rtgs, 90_000_000_000_000_000_00n, undefined],
  ["skn", skn, 1_000_000_000_00n, undefined],
  ["skn", skn, 1_000_000_000_01n, "overRailLimit"],
  ["a rail from zero", { least: minor(0n) }, 0n, "amountTooSmall"],
] as const;

for (const [rail, terms, amount, kind] of cases) {
  test(`${rail} ${kind === undefined ? "carries" : "refuses"} ${amount}`, () => {
    const refusal = kind && { kind: "refusal", refusal: { kind, field: "amount.value" } };
    assert.deepEqual(refuseRailAmount(minor(amount), terms), refusal);
  });
}
