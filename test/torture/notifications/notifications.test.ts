// The short form of `npm run torture -- notifications`: nothing is said of times here, machines differ.
import assert from "node:assert/strict";
import { test } from "node:test";
import { runNotifications } from "./run-notifications.ts";

const seed = Number(process.env["TITIAN_TEST_SEED"] ?? Date.now() % 1_000_000);

test("twenty endpoints, eight of them sick, a sending node killed: no notification is lost, no return comes before its result", async (t) => {
  t.diagnostic(`seed ${seed}`);
  const options = { rounds: 0, perRound: 0, whileKilled: 400, kills: 1, givenUp: 3, rate: 200, seed, othersMost: 1 };
  const { faults, summary } = await runNotifications(options);
  t.diagnostic(summary);
  assert.deepEqual(faults, []);
});
