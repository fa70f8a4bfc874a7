// The short form of `npm run torture -- failovers`.
import assert from "node:assert/strict";
import { test } from "node:test";
import { runFailovers } from "./failovers.ts";

test("no inquiry is answered from what a failover takes back, or without what another primary accepted", async () => {
  const { faults, summary } = await runFailovers({ rounds: 3, askMs: 1_200 });
  console.log(summary);
  assert.deepEqual(faults, []);
});
