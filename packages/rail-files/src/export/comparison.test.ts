/** Goal: what another instance has compared counts once it is certain that it did so on this database as it is now. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createComparison } from "./comparison.ts";

type Lease = readonly [fence: number, isCompared: boolean, expiresAt: number];

/** Says after each look whether it is compared. */
async function looksAt(...leases: readonly Lease[]): Promise<readonly boolean[]> {
  const left = leases.map(([fence, isCompared, expiresAt]) => ({ fence, isCompared, expiresAt }));
  const comparison = createComparison({ readLease: async () => left.shift() ?? assert.fail() });
  const told: boolean[] = [];
  for (const _ of leases) {
    await comparison.look();
    told.push(comparison.because() === undefined);
  }
  return told;
}

test("a lease counts when it is renewed twice, or taken anew, and its holder has compared", async () => {
  const cases: readonly (readonly [readonly Lease[], readonly boolean[]])[] = [
    // A holder looks at the last sequence whenever it renews: the second time proves that the first one agreed.
    [
      [
        [3, true, 10],
        [3, true, 20],
        [3, true, 20],
        [3, true, 30],
      ],
      [false, false, false, true],
    ],
    [
      [
        [3, true, 10],
        [3, true, 20],
        [3, true, -Infinity],
      ],
      [false, false, false],
    ],
    [
      [
        [3, true, 10],
        [4, false, 20],
        [4, false, 30],
        [4, false, 40],
        [4, true, 50],
      ],
      [false, false, false, false, true],
    ],
    [
      [
        [3, false, 10],
        [3, false, 20],
        [3, false, 30],
        [3, true, 30],
      ],
      [false, false, false, true],
    ],
    [
      [
        [3, true, 10],
        [2, true, 20],
        [2, true, 30],
      ],
      [false, true, true],
    ],
  ];
  for (const [leases, expected] of cases) assert.deepEqual(await looksAt(...leases), expected, JSON.stringify(leases));
});

test("it says what keeps it; compared once, it stays so", async () => {
  const comparison = createComparison({ readLease: () => Promise.reject(new Error("no connection")) });
  assert.match(comparison.because() ?? "", /no node has compared/);
  comparison.failed(new Error("ENOENT: no such file"));
  await comparison.look();
  assert.match(comparison.because() ?? "", /ENOENT: no such file/);
  comparison.done();
  comparison.failed(new Error("later"));
  assert.equal(comparison.because(), undefined);
});
