import assert from "node:assert/strict";
import { test } from "node:test";
import { operations } from "@titian/contract";
import { createRateLimiter, type RateLimit } from "./rate-limit.ts";

const transfer = operations.intrabankTransfer;
const fast: RateLimit = { perSecond: 1_000, burst: 1_000 };

test("a burst passes, then calls pass at the rate, and the wait is told in whole seconds", () => {
  const limiter = createRateLimiter();
  const limit = { perSecond: 2, burst: 3 };
  const start = 1_000_000;
  const answers = [0, 0, 0, 0, 400, 500, 600].map((afterMs) => limiter.admit("p", limit, transfer, start + afterMs));
  assert.deepEqual(answers, [0, 0, 0, 1, 1, 0, 1]);
});

test("partners have buckets of their own", () => {
  const limiter = createRateLimiter();
  const limit = { perSecond: 0.1, burst: 1 };
  assert.equal(limiter.admit("p", limit, transfer, 0), 0);
  assert.equal(limiter.admit("p", limit, transfer, 0), 10);
  assert.equal(limiter.admit("q", limit, transfer, 0), 0);
});

test("an unused bucket fills no higher than the burst, and a clock that steps back gives nothing", () => {
  const limiter = createRateLimiter();
  const limit = { perSecond: 100, burst: 2 };
  limiter.admit("p", limit, transfer, 0);
  assert.deepEqual(
    [3_600_000, 3_600_000, 3_600_000, 0].map((now) => limiter.admit("p", limit, transfer, now) > 0),
    [false, false, true, true],
  );
});

/** Number of calls that pass at this moment, of more than any limit. */
function passing(names: readonly (keyof typeof operations)[], limiter = createRateLimiter(), now = 0): number {
  return Array.from({ length: 300 }, (_, index) => names[index % names.length] ?? "intrabankTransfer").filter(
    (name) => limiter.admit("p", fast, operations[name], now) === 0,
  ).length;
}

test("tokens have a bucket of 10 and 2 a second, look-ups of accounts one of 20 and 10 a second, other calls neither", () => {
  const limiter = createRateLimiter();
  assert.equal(passing(["accessTokenB2b", "accessTokenB2b2c"], limiter), 10);
  assert.equal(
    passing(["internalAccountInquiry", "externalAccountInquiry", "requestForPayment"], limiter),
    20,
    "tokens took none of these",
  );
  assert.equal(passing(["intrabankTransfer", "statusInquiryBank"], limiter), 300, "both are used up");
  assert.equal(passing(["accessTokenB2b"], limiter, 1_000), 2);
  assert.equal(passing(["externalAccountInquiry"], limiter, 1_000), 10);
});

test("these calls count among all, and one that is rejected takes from no bucket", () => {
  const limiter = createRateLimiter();
  const limit = { perSecond: 1, burst: 25 };
  const admit = (row: (typeof operations)[keyof typeof operations], now: number) => limiter.admit("p", limit, row, now);
  for (let i = 0; i < 100; i += 1) admit(operations.accessTokenB2b, 0);
  // 10 were taken of the 25.
  assert.equal(Array.from({ length: 100 }, () => admit(transfer, 0)).filter((wait) => wait === 0).length, 15);
  for (let i = 0; i < 100; i += 1) admit(operations.internalAccountInquiry, 0);
  // They have left all 20 of their own: after 15 s there are 15 for all calls, and as many pass.
  assert.equal(
    Array.from({ length: 100 }, () => admit(operations.internalAccountInquiry, 15_000)).filter((wait) => wait === 0)
      .length,
    15,
  );
});
