import assert from "node:assert/strict";
import { test } from "node:test";
import { createRateLimiter } from "./rate-limit.ts";

test("a burst passes, then calls pass at the rate, and the wait is told in whole seconds", () => {
  const limiter = createRateLimiter();
  const limit = { perSecond: 2, burst: 3 };
  const start = 1_000_000;
  const answers = [0, 0, 0, 0, 400, 500, 600].map((afterMs) => limiter.admit("p", limit, start + afterMs));
  assert.deepEqual(answers, [0, 0, 0, 1, 1, 0, 1]);
});

test("partners have buckets of their own", () => {
  const limiter = createRateLimiter();
  const limit = { perSecond: 0.1, burst: 1 };
  assert.equal(limiter.admit("p", limit, 0), 0);
  assert.equal(limiter.admit("p", limit, 0), 10);
  assert.equal(limiter.admit("q", limit, 0), 0);
});

test("an unused bucket fills no higher than the burst, and a clock that steps back gives nothing", () => {
  const limiter = createRateLimiter();
  const limit = { perSecond: 100, burst: 2 };
  limiter.admit("p", limit, 0);
  assert.deepEqual(
    [3_600_000, 3_600_000, 3_600_000, 0].map((now) => limiter.admit("p", limit, now) > 0),
    [false, false, true, true],
  );
});
