import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { formatTimestamp, hasOffset, parseTimestamp } from "./timestamps.ts";

test("a timestamp is read with its offset, in Asia/Jakarta without one", () => {
  const times: readonly (readonly [string, string])[] = [
    ["2026-11-21T10:00:00+07:00", "2026-11-21T03:00:00.000Z"],
    ["2026-11-21T10:00:00", "2026-11-21T03:00:00.000Z"],
    ["2026-11-21T03:00:00Z", "2026-11-21T03:00:00.000Z"],
    ["2026-11-21T03:00:00.5Z", "2026-11-21T03:00:00.500Z"],
    ["2026-11-21T03:00:00.123456789Z", "2026-11-21T03:00:00.123Z"],
    ["2026-11-20T18:30:00-08:30", "2026-11-21T03:00:00.000Z"],
    ["2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000Z"],
    ["2000-02-29T23:59:59Z", "2000-02-29T23:59:59.000Z"],
    ["1900-01-01T00:00:00Z", "1900-01-01T00:00:00.000Z"],
  ];
  for (const [text, utc] of times) assert.equal(parseTimestamp(text), Date.parse(utc), text);
});

test("a text that is no real time in that form is rejected", () => {
  const texts = [
    "",
    "2026-11-21",
    "2026-11-21T10:00+07:00",
    "2026-11-21 10:00:00+07:00",
    "2026-11-21t10:00:00z",
    "2026-11-21T10:00:00 +07:00",
    "2026-11-21T10:00:00+07:000",
    "2026-11-21T10:00:00+0700",
    "2026-11-21T10:00:00+7:00",
    "2026-11-21T10:00:00+24:00",
    "2026-11-21T10:00:00+07:60",
    "2026-11-21T10:00:00.Z",
    "2026-11-21T10:00:00.1234567890Z",
    "2026-11-21T24:00:00Z",
    "2026-11-21T10:60:00Z",
    "2026-11-21T10:00:60Z",
    "2026-00-21T10:00:00Z",
    "2026-13-21T10:00:00Z",
    "2026-11-00T10:00:00Z",
    "2026-11-31T10:00:00Z",
    "2026-02-29T10:00:00Z",
    "1900-02-29T10:00:00Z",
    "0001-01-01T00:00:00Z",
    "3000-01-01T00:00:00Z",
    "+002026-11-21T10:00:00Z",
    "2026-11-21T10:00:00Z\n",
    "٢٠٢٦-11-21T10:00:00Z",
  ];
  for (const text of texts) assert.equal(parseTimestamp(text), undefined, text);
});

test("a formatted time is read back to its second", () => {
  const time = fc.date({
    min: new Date("1900-01-02T00:00:00Z"),
    max: new Date("2999-12-30T00:00:00Z"),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(time, (date) => {
      const text = formatTimestamp(date.getTime());
      assert.match(text, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+07:00$/);
      assert.equal(parseTimestamp(text), Math.floor(date.getTime() / 1000) * 1000);
    }),
  );
});

test("an offset is seen at the end only", () => {
  assert.ok(hasOffset("2026-11-21T10:00:00Z"));
  assert.ok(hasOffset("2026-11-21T10:00:00.5-03:30"));
  assert.ok(!hasOffset("2026-11-21T10:00:00"));
});
