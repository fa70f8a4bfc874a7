// The short form of `npm run torture -- holds`: after every round of a race the sums of its holds add up.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Deployment } from "./race-fixture.ts";
import { races } from "./races.ts";
import { runRace } from "./run-race.ts";

const seed = Number(process.env["TITIAN_TEST_SEED"] ?? Date.now() % 1_000_000);
console.log(`seed ${seed}`);

const deployments: readonly Deployment[] = ["one node", "two processes"];
const shortRounds: Readonly<Record<keyof typeof races, number>> = {
  hundredths: 4,
  void: 40,
  refund: 40,
  expiry: 20,
  random: 20,
};

for (const [key, race] of Object.entries(races)) {
  const rounds = shortRounds[key as keyof typeof races];
  for (const deployment of deployments) {
    test(`${race.name}, over ${deployment}, ${rounds} rounds: no money lost or doubled`, async () => {
      const { faults, summary } = await runRace(race, { deployment, rounds, seed });
      console.log(summary);
      assert.deepEqual(faults, []);
    });
  }
}
