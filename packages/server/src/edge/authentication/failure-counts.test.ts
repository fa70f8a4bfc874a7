import assert from "node:assert/strict";
import { test } from "node:test";
import { createFailureCounts } from "./failure-counts.ts";

const minute = 60_000;

test("failures count by partner, address and reason, and lapse ten minutes after the first", () => {
  let now = 0;
  const counts = createFailureCounts({ monotonic: () => now });
  const add = (change: object = {}) => counts.add({ claimed: "P", address: "a", reason: "signature", ...change });
  assert.deepEqual([add(), add()], [1, 2]);
  assert.deepEqual([add({ claimed: "Q" }), add({ address: "b" }), add({ reason: "token" })], [1, 1, 1]);
  now = 10 * minute - 1;
  assert.equal(add(), 3);
  now = 10 * minute;
  assert.deepEqual([add(), add()], [1, 2]);
});

test("strangers from many addresses take a bounded number of counts, and leave other partners theirs", () => {
  let now = 0;
  const counts = createFailureCounts({ monotonic: () => now });
  const failIn = (claimed: string, addresses: number) =>
    Array.from({ length: addresses }, (_, index) =>
      counts.add({ claimed, address: `${index}`, reason: "signature" }),
    ).filter((count) => count === 1).length;
  // A line in the log for the first of each, and one for all that came later.
  assert.equal(failIn("P", 5_000), 1_001);
  assert.equal(failIn("Q", 10), 10);
  for (let name = 0; name < 20; name += 1) failIn(`known-${name}`, 1_000);
  assert.equal(failIn("R", 100), 1, "there are as many counts as there may be");
  now = 10 * minute;
  assert.equal(failIn("R", 100), 100);
});
