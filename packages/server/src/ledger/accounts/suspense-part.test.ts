import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { suspensePartCount, suspensePartOf } from "./suspense-part.ts";

test("a number has one part, of 16", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 34 }), (accountNo) => {
      const part = suspensePartOf(accountNo);
      assert.ok(Number.isInteger(part) && part >= 0 && part < suspensePartCount);
      assert.equal(suspensePartOf(accountNo), part);
    }),
  );
});

const series: readonly (readonly [name: string, numberOf: (index: number) => string])[] = [
  ["in sequence", (index) => String(812_345_600_000 + index)],
  ["in steps of 10", (index) => String(10 * index)],
  ["in steps of 16", (index) => String(1_000_000_000 + 16 * index)],
  ["with a check digit", (index) => `ID-${index}-${(index * 7) % 10}`],
  ["scattered", (index) => String((index * 7_919_000_027) % 1_000_000_000_039)],
];

for (const [name, numberOf] of series) {
  test(`16,000 numbers ${name} are spread evenly: about 1,000 a part`, () => {
    const parts = Array.from({ length: 16_000 }, (_, index) => suspensePartOf(numberOf(index)));
    const counts = [...Map.groupBy(parts, (part) => part).values()].map(({ length }) => length);
    assert.equal(counts.length, suspensePartCount);
    for (const count of counts) assert.ok(count > 800 && count < 1_200, counts.join());
  });
}

test("the part of a number is the same in every release that keeps this test", () => {
  assert.deepEqual(["1001000001", "1001000002", "3001", "5001", ""].map(suspensePartOf), [12, 13, 4, 6, 0]);
});
