import assert from "node:assert/strict";
import { test } from "node:test";
import { createTurns } from "./turns.ts";

/** Counts the tasks of this size done by the end of each turn of the event loop, until all are. */
async function countsByTurn(tasks: number, bytes: number): Promise<readonly number[]> {
  const turns = createTurns();
  // A turn of its own: what is done at once counts too.
  await new Promise(setImmediate);
  let done = 0;
  for (let task = 0; task < tasks; task += 1) turns.enqueue("address", () => (done += 1), bytes);
  const counts = [done];
  while (done < tasks) {
    await new Promise(setImmediate);
    counts.push(done);
  }
  return counts;
}

test("Six requests are read in a turn of the event loop", async () => {
  const counts = await countsByTurn(14, 400);
  assert.deepEqual([...new Set(counts)], [6, 12, 14]);
});

test("One body of 64 KiB is read in a turn", async () => {
  const counts = await countsByTurn(3, 65_536);
  assert.deepEqual([...new Set(counts)], [1, 2, 3]);
});
