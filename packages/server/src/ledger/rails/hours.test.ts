import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isWorkingDay, nextChange, nextSettlement, rejectHours } from "./hours.ts";

const minuteMs = 60_000;
const holidays = new Set(["2026-12-25", "2027-01-01"]);
const hours = { from: 390, to: 990 };
/** 08:00, 12:30 and 16:45. */
const settlements = [480, 750, 1_005];
const closed = new Set(["2026-12-25", "2026-12-26", "2026-12-27", "2027-01-01", "2027-01-02", "2027-01-03"]);

/** An instant by its text in Jakarta. */
const at = (text: string) => Date.parse(`${text}+07:00`);
/** Date and minute of the day of an instant, by way of its text. */
function textOf(now: number) {
  const text = new Date(now + 7 * 3_600_000).toISOString();
  return { date: text.slice(0, 10), minute: Number(text.slice(11, 13)) * 60 + Number(text.slice(14, 16)) };
}

const isOpen = (...rail: Parameters<typeof rejectHours>) => rejectHours(...rail) === undefined;

/** Every minute of two weeks from Monday, 21 December 2026: two weekends, two holidays, a new year. */
const minutes = Array.from({ length: 14 * 1_440 }, (_, index) => at("2026-12-21T00:00:00") + index * minuteMs);
const isClosedDay = (now: number) => closed.has(textOf(now).date);

test("working days are Monday to Friday without holidays, in every minute of a year's end", () => {
  const wrong = minutes.filter((now) => isWorkingDay(now, holidays) === isClosedDay(now));
  assert.deepEqual(wrong, []);
});

test("a rail with hours is open from the first minute to before the last, on working days only", () => {
  const wrong = minutes.filter((now) => {
    const { minute } = textOf(now);
    return isOpen({ hours }, holidays, now) !== (!isClosedDay(now) && minute >= 390 && minute <= 989);
  });
  assert.deepEqual(wrong, []);
});

// instant in Jakarta, whether a rail of 06:30 to 16:30 is open
const moments: readonly (readonly [string, boolean])[] = [
  ["2026-11-23T06:29:59.999", false],
  ["2026-11-23T06:30:00.000", true],
  ["2026-11-23T16:29:59.999", true],
  ["2026-11-23T16:30:00.000", false],
  ["2026-11-21T10:00:00.000", false],
  ["2026-11-22T10:00:00.000", false],
  ["2026-12-25T10:00:00.000", false],
  ["2026-12-24T10:00:00.000", true],
];

for (const [text, open] of moments) {
  test(`at ${text} in Jakarta the rail is ${open ? "open" : "closed"}`, () => {
    assert.equal(isOpen({ hours }, holidays, at(text)), open);
  });
}

test("a closed rail says when it opens", () => {
  const rejection = { kind: "railClosed", field: "06:30" };
  assert.deepEqual(rejectHours({ hours }, holidays, at("2026-11-22T10:00:00")), { kind: "rejection", rejection });
});

test("a rail changes next in the first minute in which it is open or closed otherwise, from every minute", () => {
  const states = minutes.map((now) => isOpen({ hours }, holidays, now));
  const wrong = minutes.filter((now, index) => {
    const next = states.findIndex((state, later) => later > index && state !== states[index]);
    return next !== -1 && nextChange({ hours }, holidays, now) !== minutes[next];
  });
  assert.deepEqual(wrong, []);
  assert.equal(nextChange({}, holidays, at("2026-12-21T00:00:00")), undefined);
});

test("a rail without hours is open in every minute", () => {
  assert.ok(minutes.every((now) => isOpen({}, holidays, now)));
});

test("hours may last to midnight", () => {
  assert.equal(isOpen({ hours: { from: 0, to: 1_440 } }, holidays, at("2026-11-23T23:59:59.999")), true);
  assert.equal(isOpen({ hours: { from: 0, to: 1_440 } }, holidays, at("2026-11-24T00:00:00.000")), true);
  assert.equal(isOpen({ hours: { from: 0, to: 1_440 } }, holidays, at("2026-11-28T00:00:00.000")), false);
});

// instant in Jakarta at which a rail of 06:30 to 16:30 is closed, and when it opens
const openings: readonly (readonly [string, string])[] = [
  ["2026-11-23T06:29:59.999", "2026-11-23T06:30:00.000"],
  ["2026-11-23T16:30:00.000", "2026-11-24T06:30:00.000"],
  ["2026-11-21T03:00:00.000", "2026-11-23T06:30:00.000"],
  ["2026-12-24T16:30:00.000", "2026-12-28T06:30:00.000"],
];
for (const [from, to] of openings) {
  test(`closed at ${from}, the rail opens at ${to}`, () => {
    assert.equal(nextChange({ hours }, holidays, at(from)), at(to));
    assert.ok(isOpen({ hours }, holidays, at(to)));
  });
}

test("a calendar without a working day never opens a rail", () => {
  const all = new Set(
    Array.from({ length: 400 }, (_, day) => textOf(at("2026-12-21T00:00:00") + day * 86_400_000).date),
  );
  assert.equal(nextChange({ hours }, all, at("2026-12-21T10:00:00")), undefined);
});

// instant in Jakarta, the settlement after it
const next: readonly (readonly [string, string])[] = [
  ["2026-11-23T00:00:00.000", "2026-11-23T08:00:00.000"],
  ["2026-11-23T07:59:59.999", "2026-11-23T08:00:00.000"],
  ["2026-11-23T08:00:00.000", "2026-11-23T12:30:00.000"],
  ["2026-11-23T16:44:59.999", "2026-11-23T16:45:00.000"],
  ["2026-11-23T16:45:00.000", "2026-11-24T08:00:00.000"],
  ["2026-11-27T17:00:00.000", "2026-11-30T08:00:00.000"],
  ["2026-12-24T16:45:00.000", "2026-12-28T08:00:00.000"],
  ["2026-12-31T20:00:00.000", "2027-01-04T08:00:00.000"],
];

for (const [from, to] of next) {
  test(`what waits from ${from} settles at ${to}`, () => {
    assert.equal(nextSettlement({ settlements }, holidays, at(from)), at(to));
  });
}

test("the next settlement is the first minute of a settlement on a working day, from every minute of a year's end", () => {
  const settling = minutes.filter((now) => !isClosedDay(now) && settlements.includes(textOf(now).minute));
  const last = settling.at(-1) ?? 0;
  const wrong = minutes.filter(
    (now) => now < last && nextSettlement({ settlements }, holidays, now) !== settling.find((one) => one > now),
  );
  assert.deepEqual(wrong, []);
});

test("settlements follow one another: none is skipped, none comes twice", () => {
  const days = fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { maxLength: 40 });
  fc.assert(
    fc.property(days, fc.integer({ min: 0, max: 30 * 86_400_000 }), (free, offset) => {
      const first = at("2026-11-01T00:00:00");
      const calendar = new Set(free.map((day) => textOf(first + day * 86_400_000).date));
      const now = first + offset;
      const settlement = nextSettlement({ settlements }, calendar, now);
      assert.ok(settlement !== undefined && settlement > now);
      assert.ok(isWorkingDay(settlement, calendar));
      assert.ok(settlements.includes(textOf(settlement).minute));
      // Whoever asks a moment before it is told the same one.
      assert.equal(nextSettlement({ settlements }, calendar, settlement - 1), settlement);
    }),
  );
});

test("a rail without settlements settles at once", () => {
  assert.equal(nextSettlement({}, holidays, 1_234), 1_234);
});

test("a calendar without a working day within a year has no next settlement", () => {
  const start = at("2026-12-21T00:00:00");
  const all = new Set(Array.from({ length: 367 }, (_, day) => textOf(start + day * 86_400_000).date));
  assert.equal(nextSettlement({ settlements }, all, start), undefined);
  // The last day looked at is the 366th after today.
  all.delete("2027-12-22");
  assert.equal(nextSettlement({ settlements }, all, start), at("2027-12-22T08:00:00"));
  assert.equal(nextSettlement({ settlements: [] }, new Set(), start), undefined);
});
