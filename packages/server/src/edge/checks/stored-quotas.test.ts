import assert from "node:assert/strict";
import { test } from "node:test";
import { createStoredQuotas } from "./stored-quotas.ts";

const hour = 3_600_000;

function quotas() {
  const state = { now: 0, usedUp: [] as string[] };
  const stored = createStoredQuotas({
    clock: { monotonic: () => state.now },
    limits: { rejectionsPerDay: 24, freeFormBytesPerDay: 2_400 },
    onUsedUp: (partner, quota) => state.usedUp.push(`${partner} ${quota}`),
  });
  return { state, stored };
}

test("a day's rejections may come at once, then one comes back with its part of the day; other partners have their own", () => {
  const { state, stored } = quotas();
  for (let i = 0; i < 24; i += 1) {
    assert.equal(stored.admit("p"), 0);
    stored.addRejection("p");
  }
  assert.equal(stored.admit("p"), 3_600);
  assert.deepEqual([stored.admit("q"), state.usedUp], [0, ["p rejections"]]);
  state.now += hour / 2;
  assert.equal(stored.admit("p"), 1_800);
  state.now += hour / 2 + 1;
  assert.equal(stored.admit("p"), 0);
  stored.addRejection("p");
  assert.ok(stored.admit("p") > 3_500);
  state.now += 100 * hour;
  for (let i = 0; i < 24; i += 1) stored.addRejection("p");
  assert.equal(stored.admit("p"), 3_600, "unused days are not saved up");
});

test("bytes of all free-form members count; one write may go over the quota, and is waited for", () => {
  const { state, stored } = quotas();
  stored.addFreeForm("p", new Map());
  stored.addFreeForm(
    "p",
    new Map([
      ["additionalInfo", new Uint8Array(1_000)],
      ["items", new Uint8Array(1_399)],
    ]),
  );
  assert.equal(stored.admit("p"), 0);
  stored.addFreeForm("p", new Map([["items", new Uint8Array(101)]]));
  // 100 bytes over, of 100 an hour.
  assert.equal(stored.admit("p"), 3_600);
  assert.deepEqual(state.usedUp, ["p bytes"]);
  state.now += hour + 1;
  assert.equal(stored.admit("p"), 0);
});
