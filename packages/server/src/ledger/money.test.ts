import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { formatMinor, maxMinor, parseMinor } from "./money.ts";

// text, scale, minor units (undefined: no amount of that currency)
const texts: readonly (readonly [string, number, bigint | undefined])[] = [
  ["10000.00", 2, 1_000_000n],
  ["10000", 2, 1_000_000n],
  ["10000.5", 2, 1_000_050n],
  ["0.00", 2, 0n],
  ["0", 2, 0n],
  ["0.01", 2, 1n],
  ["007.50", 2, 750n],
  // More decimals than the currency has are an amount only where they say nothing.
  ["1.50", 0, undefined],
  ["1.00", 0, 1n],
  ["1.500", 2, 150n],
  ["1.505", 2, undefined],
  ["1.234", 3, 1_234n],
  ["9999999999999999.99", 2, 999_999_999_999_999_999n],
  ["90000000000000000.00", 2, 9_000_000_000_000_000_000n],
  ["90000000000000000.01", 2, undefined],
  ["99999999999999999999", 0, undefined],
  ["999999999999999999999", 0, undefined],
  ["", 2, undefined],
  [".50", 2, undefined],
  ["1.", 2, undefined],
  ["-1.00", 2, undefined],
  ["+1.00", 2, undefined],
  ["1e3", 2, undefined],
  ["1,000.00", 2, undefined],
  [" 1.00", 2, undefined],
  ["1.00\n", 2, undefined],
  ["0x10", 2, undefined],
  ["１.00", 2, undefined],
  ["1_000", 2, undefined],
  ["NaN", 2, undefined],
];

for (const [text, scale, expected] of texts) {
  test(`${JSON.stringify(text)} at scale ${scale} reads as ${expected}`, () => {
    assert.equal(parseMinor(text, scale), expected);
  });
}

// minor units, scale, text
const amounts: readonly (readonly [bigint, number, string])[] = [
  [0n, 2, "0.00"],
  [1n, 2, "0.01"],
  [99n, 2, "0.99"],
  [100n, 2, "1.00"],
  [-1n, 2, "-0.01"],
  [-12_345n, 2, "-123.45"],
  [5n, 0, "5"],
  [5n, 3, "0.005"],
  [maxMinor, 2, "90000000000000000.00"],
];

for (const [amount, scale, expected] of amounts) {
  test(`${amount} minor units at scale ${scale} are written ${expected}`, () => {
    assert.equal(formatMinor(amount, scale), expected);
  });
}

test("a written amount reads as the same amount", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: maxMinor }), fc.constantFrom(0, 2, 3), (amount, scale) => {
      assert.equal(parseMinor(formatMinor(amount, scale), scale), amount);
    }),
    { seed: 17 },
  );
});
