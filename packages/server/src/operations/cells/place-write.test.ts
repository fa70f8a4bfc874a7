// The cell of a write is one of its partner's, from the time on at which it takes calls.
import assert from "node:assert/strict";
import { test } from "node:test";
import { placeWrite, rejectEarly } from "./place-write.ts";

const cells = [{ cell: 2 }, { cell: 0 }, { cell: 3, since: 100_000 }];

test("a payer in a cell of its partner is decided there, with the cell of the payee", () => {
  assert.deepEqual(placeWrite({ cell: 3, other: 7 }, cells), { cell: 3, other: 7 });
  assert.deepEqual(placeWrite({ cell: 0 }, cells), { cell: 0, other: 0 });
});

test("one elsewhere is rejected by the partner's first cell, which reaches no other for it", () => {
  assert.deepEqual(placeWrite({ cell: 1, other: 0 }, cells), { cell: 2, other: 2 });
});

test("a cell that was added takes calls from its time on", () => {
  assert.deepEqual(rejectEarly(cells, 3, 99_999), { case: "serviceUnavailable", retryAfter: 1 });
  assert.deepEqual(rejectEarly(cells, 3, 0), { case: "serviceUnavailable", retryAfter: 60 });
  assert.equal(rejectEarly(cells, 3, 100_000), undefined);
  assert.equal(rejectEarly(cells, 2, 0), undefined);
});
