import assert from "node:assert/strict";
import { test } from "node:test";
import { oneATurn } from "./one-a-turn.ts";

test("One caller is let go in each turn of the event loop, in order", async () => {
  const turn = oneATurn();
  const gone: number[] = [];
  const seen: number[][] = [];
  for (const caller of [1, 2, 3]) void turn().then(() => gone.push(caller));
  while (gone.length < 3) {
    await new Promise(setImmediate);
    seen.push([...gone]);
  }
  assert.deepEqual(
    seen.filter(({ length }) => length > 0),
    [[1], [1, 2], [1, 2, 3]],
  );
});
