// Random calls about many holds against a naive model of the decisions (63 to 69, D6 to D10): after every step each
// answer, each sum, each line and each balance must be the model's, and in the end the audit finds nothing.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import fc from "fast-check";
import { Client } from "pg";
import { runAudit } from "../../../packages/server/src/admin/audit.ts";
import type { Clock } from "../../../packages/server/src/clock.ts";
import type { MerchantTerms } from "../../../packages/server/src/ledger/reference/reference-data.ts";
import { useDatabase } from "../../support/database/database.ts";
import { rails } from "../../support/rails.ts";
import { assertDatabaseIs } from "./compare-database.ts";
import { everyAnswer, examples } from "./every-answer.ts";
import { startHoldNode } from "../hold-node.ts";
import { createHoldModel } from "./naive-model.ts";
import { unclaimed } from "./naive-world.ts";
import { anyStep, type Step } from "./random-steps.ts";
import { openRunScene } from "./model-fixture.ts";
import { type Run, take } from "./run-steps.ts";

/** `TITIAN_TEST_RUNS=2000` for a long evening. */
const runs = Number(process.env["TITIAN_TEST_RUNS"] ?? 40);
const seed = Number(process.env["TITIAN_TEST_SEED"] ?? Date.now() % 1_000_000);
console.log(`seed ${seed}`);

const changesMax = 4;
// Every moment of a hold's life can be hit exactly: business time stands still unless a step moves it.
const firstHour = Date.UTC(2026, 10, 21, 3);
const dayMs = 86_400_000;
const time = { now: firstHour };
const clock: Clock = { now: () => time.now, real: () => Date.now(), monotonic: () => performance.now() };
let merchants: ReadonlyMap<string, MerchantTerms> = new Map();

const database = await useDatabase();
const client = new Client({ connectionString: database.url });
await client.connect();
const node = await startHoldNode({
  url: database.url,
  clock,
  reference: () => ({
    version: 1,
    partners: new Map(),
    merchants,
    idempotencyWindowMs: dayMs,
    holdEventsMax: changesMax,
    rails,
  }),
});

after(async () => {
  await node[Symbol.asyncDispose]();
  await client.end();
  await database.drop();
});

const seen = new Map<string, number>();
async function start(): Promise<Run> {
  const scene = await openRunScene(node, changesMax);
  ({ merchants } = scene);
  // A counterexample must fail again when it is made smaller: every run begins at the same hour.
  time.now += dayMs - ((time.now - firstHour) % dayMs);
  // What no account of a run can take goes to the same account in all runs.
  const text = "select balance from accounts where account_no = $1";
  const [row] = (await client.query<{ balance: string }>(text, [unclaimed("IDR")])).rows;
  if (row) {
    const balance = BigInt(row.balance);
    scene.world.accounts.set(unclaimed("IDR"), { currency: "IDR", partners: [], balance, status: "active", used: [] });
  }
  return { node, scene, model: createHoldModel(scene.world), history: [], time, seen };
}

test("random calls about holds, time and operators' changes: answers, holds and balances are the model's", async () => {
  let stepsTaken = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 15, maxLength: 50 }), async (taken: readonly Step[]) => {
      const run = await start();
      for (const step of taken) {
        await take(step, run);
        await assertDatabaseIs(client, run.scene.world, run.scene.partners);
        stepsTaken += 1;
      }
    }),
    {
      seed,
      numRuns: runs,
      examples: examples.map((steps): [readonly Step[]] => [steps]),
      interruptAfterTimeLimit: Math.max(150_000, runs * 1_000),
      markInterruptAsFailure: true,
    },
  );
  console.log(`${stepsTaken} steps, ${[...seen.values()].reduce((sum, count) => sum + count, 0)} answers`);
  assert.deepEqual(
    everyAnswer.filter((kind) => !seen.has(kind)),
    [],
    "answers the runs did not meet",
  );
  assert.deepEqual((await runAudit(database.url)).findings, []);
});
