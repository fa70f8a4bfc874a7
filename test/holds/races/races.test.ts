// The short form of `npm run torture -- holds`: whatever races on a hold, its sums add up after every round.
import assert from "node:assert/strict";
import { test } from "node:test";
import { races } from "./all-races.ts";
import type { Where } from "./race-fixture.ts";
import { runRace } from "./run-race.ts";

const seed = Number(process.env["TITIAN_TEST_SEED"] ?? Date.now() % 1_000_000);
console.log(`seed ${seed}`);

const places: readonly Where[] = ["one node", "two processes"];
const shortRounds: Readonly<Record<keyof typeof races, number>> = {
  hundredths: 10,
  void: 100,
  refund: 100,
  expiry: 50,
  random: 40,
};

for (const [key, race] of Object.entries(races)) {
  const rounds = shortRounds[key as keyof typeof races];
  for (const where of places) {
    test(`${race.name}, over ${where}, ${rounds} rounds: nothing over, nothing lost`, async () => {
      const { faults, summary } = await runRace(race, { where, rounds, seed });
      console.log(summary);
      assert.deepEqual(faults, []);
    });
  }
}
