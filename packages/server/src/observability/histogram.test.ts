import assert from "node:assert/strict";
import { test } from "node:test";
import { Histogram } from "./histogram.ts";

test("a value counts in every bucket whose bound it does not exceed", () => {
  const histogram = new Histogram([0.1, 1]);
  for (const value of [0.05, 0.1, 0.5, 1.5]) histogram.observe(value);
  assert.deepEqual(
    [...histogram.lines("d", { operation: "pay" })],
    [
      'd_bucket{operation="pay",le="0.1"} 2',
      'd_bucket{operation="pay",le="1"} 3',
      'd_bucket{operation="pay",le="+Inf"} 4',
      'd_sum{operation="pay"} 2.15',
      'd_count{operation="pay"} 4',
    ],
  );
  assert.deepEqual(
    [...new Histogram([1]).lines("d", {})],
    ['d_bucket{le="1"} 0', 'd_bucket{le="+Inf"} 0', "d_sum 0", "d_count 0"],
  );
});
