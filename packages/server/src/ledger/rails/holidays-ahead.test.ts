import assert from "node:assert/strict";
import { test } from "node:test";
import { holidaysAhead } from "./holidays-ahead.ts";

const holidays = new Set(["2026-12-25", "2026-08-17"]);
const at = (text: string) => Date.parse(text);

// the instant, days to 25 December
const cases: readonly (readonly [string, number])[] = [
  ["2025-12-25T12:00:00+07:00", 365],
  ["2026-10-26T00:00:00+07:00", 60],
  ["2026-10-26T23:59:59+07:00", 60],
  // Still the 26th elsewhere.
  ["2026-10-26T17:00:00Z", 59],
  ["2026-12-24T23:59:59+07:00", 1],
  ["2026-12-25T00:00:00+07:00", 0],
  ["2026-12-25T23:59:59+07:00", 0],
  ["2027-03-01T00:00:00+07:00", 0],
];

for (const [now, days] of cases) {
  test(`at ${now} the last holiday lies ${days} days ahead`, () => {
    assert.deepEqual(holidaysAhead(holidays, at(now)), { last: "2026-12-25", days });
  });
}

test("a list without a holiday reaches nowhere", () => {
  assert.deepEqual(holidaysAhead(new Set(), at("2026-10-26T00:00:00+07:00")), { last: undefined, days: 0 });
});
