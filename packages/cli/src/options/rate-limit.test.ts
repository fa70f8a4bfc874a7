import assert from "node:assert/strict";
import { test } from "node:test";
import { readRateLimit, writeRateLimit } from "./rate-limit.ts";

test("a rate limit is read as it is shown; a burst not given is one second's calls", () => {
  for (const [text, limit, shown] of [
    ["50/s,100", { perSecond: 50, burst: 100 }, "50/s,100"],
    ["2.5/s", { perSecond: 2.5, burst: 3 }, "2.5/s,3"],
    ["0.1/s", { perSecond: 0.1, burst: 1 }, "0.1/s,1"],
    ["none", null, "none"],
  ] as const) {
    assert.deepEqual(readRateLimit(text), limit);
    assert.equal(writeRateLimit(limit), shown);
  }
  for (const text of ["", "50", "50/m", "50/s,", "50/s 100", "-1/s", "no"]) {
    assert.throws(() => readRateLimit(text), /--rate-limit .*: give calls a second/, text);
  }
});
