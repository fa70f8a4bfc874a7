import assert from "node:assert/strict";
import { test } from "node:test";
import { minor } from "../money.ts";
import { rejectRailAmount } from "./limits.ts";

const interbank = { min: minor(1_00n), max: minor(250_000_000_00n) };
const rtgs = { min: minor(100_000_000_01n) };
const skn = { min: minor(1_00n), max: minor(1_000_000_000_00n) };

// rail, amount in minor units, rejection
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
  ["a rail from zero", { min: minor(0n) }, 0n, "amountTooSmall"],
] as const;

for (const [rail, terms, amount, kind] of cases) {
  test(`${rail} ${kind === undefined ? "carries" : "rejects"} ${amount}`, () => {
    const rejection = kind && { kind: "rejection", rejection: { kind, field: "amount.value" } };
    assert.deepEqual(rejectRailAmount(minor(amount), terms), rejection);
  });
}
