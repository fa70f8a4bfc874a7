// Random calls about many holds against a model of the specification (63 to 69, D6 to D10): after every step each response,
// each sum, each event and each balance must be the model's, and in the end the audit finds nothing.
import { homeAlone } from "../../../packages/server/src/ledger/reference/directory.ts";
import assert from "node:assert/strict";
import { after, test } from "node:test";
import fc from "fast-check";
import { Client } from "pg";
import { runAudit } from "../../../packages/server/src/admin/audit/audit.ts";
import type { Clock } from "../../../packages/server/src/basics/clock.ts";
import type { MerchantTerms } from "../../../packages/server/src/ledger/reference/reference-data.ts";
import { useDatabase } from "../../support/database/database.ts";
import { rails } from "../../support/rails.ts";
import { assertDatabaseIs } from "./compare-database.ts";
import { everyAnswer, examples } from "./every-answer.ts";
import { startHoldNode } from "../hold-node.ts";
import { readBalances } from "../hold-record.ts";
import { createHoldModel } from "./hold-model.ts";
import { newAccount, unapplied } from "./hold-state.ts";
import { openRunFixture } from "./model-fixture.ts";
import { anyStep, type Step } from "./random-steps.ts";
import { type Run, runStep } from "./run-steps.ts";
import { paymentRequestLimits } from "../../support/payment-request-limits.ts";

/** `TITIAN_TEST_RUNS=2000` for a long run. */
const runs = Number(process.env["TITIAN_TEST_RUNS"] ?? 40);
const seed = Number(process.env["TITIAN_TEST_SEED"] ?? Date.now() % 1_000_000);
console.log(`seed ${seed}`);

const shrinkMs = 20_000;
const eventsMax = 4;
// Business time stands still unless a step moves it, so that steps can hit every moment exactly.
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
    closed: new Set(),
    directory: homeAlone,
    merchants,
    idempotencyWindowMs: dayMs,
    holdEventsMax: eventsMax,
    paymentRequests: paymentRequestLimits,
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
  const fixture = await openRunFixture(node, eventsMax);
  ({ merchants } = fixture);
  // Every run begins at the same hour, so that a counterexample fails again when it is shrunk.
  time.now += dayMs - ((time.now - firstHour) % dayMs);
  // All runs share the account of unapplied funds.
  const balances = await readBalances(client, [unapplied("IDR")]);
  for (const [no, { balance }] of balances) fixture.state.accounts.set(no, newAccount({ balance }));
  return { node, fixture, model: createHoldModel(fixture.state), history: [], time, seen };
}

test("random calls about holds, time and operators' changes: answers, holds and balances are the model's", async () => {
  let stepCount = 0;
  // A counterexample is shrunk until then.
  let shrinksUntil = Infinity;
  const runSteps = async (steps: readonly Step[]) => {
    const run = await start();
    for (const step of steps) {
      await runStep(step, run);
      await assertDatabaseIs(client, run.fixture.state, run.fixture.partners);
      stepCount += 1;
    }
  };
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { minLength: 15, maxLength: 50 }), async (steps: readonly Step[]) => {
      if (performance.now() > shrinksUntil) return;
      await runSteps(steps).catch((error: unknown) => {
        shrinksUntil = Math.min(shrinksUntil, performance.now() + shrinkMs);
        throw error;
      });
    }),
    {
      seed,
      numRuns: runs,
      examples: examples.map((example): [readonly Step[]] => [example]),
      interruptAfterTimeLimit: Math.max(150_000, runs * 1_000),
      markInterruptAsFailure: true,
    },
  );
  console.log(`${stepCount} steps, ${[...seen.values()].reduce((sum, count) => sum + count, 0)} answers`);
  assert.deepEqual(
    everyAnswer.filter((kind) => !seen.has(kind)),
    [],
    "answers the runs did not meet",
  );
  assert.deepEqual((await runAudit(database.url)).findings, []);
});
