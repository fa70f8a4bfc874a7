import assert from "node:assert/strict";
import { test } from "node:test";
import { isRejection } from "../responses/rejected-call.ts";
import { checkTimestamp } from "./timestamp-window.ts";

const windowMs = 300_000;
const hour = 3_600_000;
const real = 1_800_000_000_000;

function check(at: number, aheadMs = 0) {
  return checkTimestamp(at, windowMs, { now: () => real + aheadMs, real: () => real, monotonic: () => real });
}

test("the window is closed at both ends", () => {
  assert.equal(check(real - windowMs), real);
  assert.equal(check(real + windowMs), real + 2 * windowMs);
  assert.deepEqual(check(real - windowMs - 1), {
    rejected: { case: "unauthorized", reason: "Timestamp" },
    step: 6,
  });
  assert.ok(isRejection(check(real + windowMs + 1)));
});

test("with a moved clock both times are accepted, and the end of the window is told in real time", () => {
  assert.equal(check(real + 1_000, 24 * hour), real + 1_000 + windowMs);
  assert.equal(check(real + 24 * hour + 1_000, 24 * hour), real + 1_000 + windowMs);
  assert.ok(isRejection(check(real + 12 * hour, 24 * hour)));
});

test("a timestamp near both leaves the window at the later time", () => {
  assert.equal(check(real, 60_000), real + windowMs);
});
