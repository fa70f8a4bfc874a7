import assert from "node:assert/strict";
import { test } from "node:test";
import { warnOfHolidays } from "./observe-holidays.ts";

const holidays = new Set(["2026-12-25", "2026-08-17"]);
const file = "/etc/titian/holidays.json";
const warn = (now: string, known = holidays, from: string | undefined = file) =>
  warnOfHolidays(known, Date.parse(now), from);

test("nothing is said while the last holiday lies 60 days ahead or more", () => {
  assert.equal(warn("2026-01-01T10:00:00+07:00"), undefined);
  assert.equal(warn("2026-10-26T23:59:59+07:00"), undefined);
});

test("from then on the warning says what ends and when, what follows, where it stands, and what to do", () => {
  assert.equal(
    warn("2026-10-27T00:00:00+07:00"),
    "The last holiday known is on 2026-12-25, in 59 days: with no holiday to come, every day from Monday to Friday " +
      "counts as a working day, and rails with hours take transfers on it. Put Bank Indonesia's next calendar into a " +
      "file, name it in TITIAN_HOLIDAYS_FILE, and restart each node. Read now: /etc/titian/holidays.json.",
  );
  assert.match(
    warnOfHolidays(holidays, Date.parse("2026-10-27T00:00:00+07:00"), undefined) ?? "",
    /Read now: the file that comes with this release\.$/,
  );
});

// when, how it begins
const beginnings: readonly (readonly [string, ReadonlySet<string>, string])[] = [
  ["2026-12-25T23:59:59+07:00", holidays, "The last holiday known is on 2026-12-25, in 0 days: "],
  ["2026-12-25T17:00:00Z", holidays, "The last holiday known was on 2026-12-25: "],
  ["2029-01-01T00:00:00+07:00", holidays, "The last holiday known was on 2026-12-25: "],
  ["2026-01-01T00:00:00+07:00", new Set(), "No holiday is known: "],
];

for (const [now, known, beginning] of beginnings) {
  test(`at ${now}, with ${known.size} known: ${beginning}…`, () => {
    assert.ok(
      warnOfHolidays(known, Date.parse(now), file)?.startsWith(beginning),
      warnOfHolidays(known, Date.parse(now), file),
    );
  });
}
