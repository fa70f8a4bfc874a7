// The short form of `npm run torture -- acts`.
import assert from "node:assert/strict";
import { test } from "node:test";
import { runActFailovers } from "./act-failovers.ts";

test("approved acts are carried out once each, whatever happens to their nodes and the standby", async () => {
  const { faults, summary } = await runActFailovers({ rounds: 2, acts: 6 });
  console.log(summary);
  assert.deepEqual(faults, []);
});
