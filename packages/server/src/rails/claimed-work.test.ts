import assert from "node:assert/strict";
import { test } from "node:test";
import { createClock } from "../basics/clock.ts";
import { createClaimedWork } from "./claimed-work.ts";

test("the next page is claimed once half of what may be under way is done", async () => {
  const done = new Map<string, () => void>();
  const second = Promise.withResolvers<number>();
  const pages = [["a", "b", "c", "d"], ["e"]];
  const work = createClaimedWork<string>({
    clock: createClock(),
    calls: { stopped: false },
    concurrencyMax: 4,
    claim: async (limit) => {
      if (pages.length === 1) second.resolve(limit);
      return pages.shift() ?? [];
    },
    release: async () => undefined,
    work: (item) => new Promise((resolve) => void done.set(item, resolve)),
    idOf: (item) => item,
    onFailure: (_id, error) => assert.fail(String(error)),
  });
  const run = work.run(async () => true);
  while (done.size < 4) await new Promise(setImmediate);
  done.get("a")?.();
  done.get("c")?.();
  assert.equal(await second.promise, 2);
  while (!done.has("e")) await new Promise(setImmediate);
  assert.deepEqual(work.underWay(), ["b", "d", "e"]);
  for (const end of done.values()) end();
  assert.equal(await run, 5);
});
