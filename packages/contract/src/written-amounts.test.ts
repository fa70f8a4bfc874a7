import assert from "node:assert/strict";
import { test } from "node:test";
import { readWrittenAmount } from "./written-amounts.ts";

test("an amount is read with points or commas, and with its currency in front", () => {
  const whole = ["250000", "250.000", "250,000", " Rp250.000 ", "Rp. 250,000", "idr 250000"];
  for (const text of whole) assert.equal(readWrittenAmount(text), "250000", text);
  const exact = ["250000.00", "250.000,00", "250,000.00", "Rp 250000,00"];
  for (const text of exact) assert.equal(readWrittenAmount(text), "250000.00", text);
  assert.deepEqual(
    ["1.2345", "25.00.1", "1,23,456", "-1", "1e3", "Rp", "", "12 000"].map(readWrittenAmount),
    Array(8).fill(undefined),
  );
});
