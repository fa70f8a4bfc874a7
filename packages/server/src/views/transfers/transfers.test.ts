import assert from "node:assert/strict";
import { test } from "node:test";
import type { TransferState } from "../../ledger/transfers/states.ts";
import { possibleDecisions } from "./transfers.ts";

const possible: readonly (readonly [TransferState, readonly string[]])[] = [
  ["queued", ["settled", "rejected"]],
  ["submitted", ["settled", "rejected"]],
  ["pending", ["settled", "rejected"]],
  ["settled", ["returned"]],
  ["rejected", []],
  ["returned", []],
];

for (const [state, decisions] of possible) {
  test(`a transfer that is ${state} can become ${decisions.join(" or ") || "nothing else"}`, () => {
    assert.deepEqual(possibleDecisions(state), decisions);
  });
}
