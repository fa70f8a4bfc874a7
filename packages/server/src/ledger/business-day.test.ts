import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { businessDay, dateOf, dayOf, instantOf, isWeekend, minuteOfDay } from "./business-day.ts";

const jakarta = new Intl.DateTimeFormat("en-CA", {
  timeZone: "Asia/Jakarta",
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
  weekday: "short",
});

/** Calendar day by Node's own time zones. */
function calendar(now: number) {
  const parts = new Map(jakarta.formatToParts(now).map(({ type, value }) => [type, value]));
  return {
    date: `${parts.get("year")}-${parts.get("month")}-${parts.get("day")}`,
    minute: Number(parts.get("hour")) * 60 + Number(parts.get("minute")),
    isWeekend: ["Sat", "Sun"].includes(parts.get("weekday") ?? ""),
  };
}

function ours(now: number) {
  const day = businessDay(now);
  return { date: dateOf(day), minute: minuteOfDay(now), isWeekend: isWeekend(day) };
}

test("the day begins at midnight in Jakarta", () => {
  assert.deepEqual(ours(Date.UTC(2026, 11, 31, 16, 59, 59, 999)), {
    date: "2026-12-31",
    minute: 1_439,
    isWeekend: false,
  });
  assert.deepEqual(ours(Date.UTC(2026, 11, 31, 17)), { date: "2027-01-01", minute: 0, isWeekend: false });
  assert.equal(businessDay(0), 0);
  assert.equal(businessDay(-7 * 3_600_000 - 1), -1);
});

test("date, minute and weekend are those of Asia/Jakarta", () => {
  // Indonesia's present zone is from 1964 on.
  const instants = fc.integer({ min: Date.UTC(1965, 0), max: Date.UTC(2199, 11, 31) });
  fc.assert(fc.property(instants, (now) => assert.deepEqual(ours(now), calendar(now))));
});

test("a date is that of its day", () => {
  assert.deepEqual(["1970-01-01", "1969-12-31", "2028-02-29"].map(dayOf), [0, -1, 21_243]);
  fc.assert(fc.property(fc.integer({ min: -100_000, max: 100_000 }), (day) => assert.equal(dayOf(dateOf(day)), day)));
});

test("an instant is put together again of its day and minute", () => {
  fc.assert(
    fc.property(fc.integer({ min: -100_000, max: 100_000 }), fc.integer({ min: 0, max: 1_439 }), (day, minute) => {
      const at = instantOf(day, minute);
      assert.deepEqual([businessDay(at), minuteOfDay(at)], [day, minute]);
      assert.deepEqual([businessDay(at + 59_999), minuteOfDay(at + 59_999)], [day, minute]);
    }),
  );
});
