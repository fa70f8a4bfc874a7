import assert from "node:assert/strict";
import { test } from "node:test";
import { movableClock } from "../test/helpers/movable-clock.ts";
import { createTimestamps } from "./timestamps.ts";

test("a send carries the second it is made in, Jakarta time", () => {
  const clock = movableClock(Date.UTC(2026, 10, 21, 3, 0, 0, 999));
  assert.equal(createTimestamps(clock).of("1"), "2026-11-21T10:00:00+07:00");
});

test("two sends of one external id never carry the same time", () => {
  const clock = movableClock();
  const timestamps = createTimestamps(clock);
  assert.equal(timestamps.of("1"), "2026-11-21T10:00:00+07:00");
  assert.equal(timestamps.of("1"), "2026-11-21T10:00:01+07:00");
  assert.equal(timestamps.of("1"), "2026-11-21T10:00:02+07:00");
  assert.equal(timestamps.of("2"), "2026-11-21T10:00:00+07:00", "another id has its own times");
  clock.advance(1_000);
  assert.equal(timestamps.of("1"), "2026-11-21T10:00:03+07:00", "a second given out ahead is not given out again");
  clock.advance(60_000);
  assert.equal(timestamps.of("1"), "2026-11-21T10:01:01+07:00");
});

test("neither do two sends of one intent under two external ids", () => {
  const timestamps = createTimestamps(movableClock());
  assert.equal(timestamps.of("1", "intent"), "2026-11-21T10:00:00+07:00");
  assert.equal(timestamps.of("2", "intent"), "2026-11-21T10:00:01+07:00");
  assert.equal(timestamps.of("3", "other"), "2026-11-21T10:00:00+07:00");
  assert.equal(timestamps.of("2"), "2026-11-21T10:00:02+07:00");
});

test("a clock that is set back makes no repeat older than what it repeats; one that was far ahead is left behind", () => {
  const clock = movableClock();
  const timestamps = createTimestamps(clock);
  timestamps.of("1");
  clock.advance(10_000);
  timestamps.of("2");
  clock.advance(-60_000);
  assert.equal(timestamps.of("1"), "2026-11-21T10:00:10+07:00");
  assert.equal(timestamps.of("2"), "2026-11-21T10:00:11+07:00");
  clock.advance(-241_000);
  assert.equal(timestamps.of("3"), "2026-11-21T09:55:09+07:00", "the provider had turned the sends of then away");
});
