import assert from "node:assert/strict";
import { test } from "node:test";
import { startJob } from "./job.ts";

const clock = { real: () => 1_000 };

test("what the runs of a job did is counted, and a failure is none of the others'", async () => {
  const untils: number[] = [];
  const run = async (until: number) => {
    untils.push(until);
    if (untils.length === 2) throw new Error("the second run fails");
    return 7;
  };
  const job = { name: "a job", everyMs: 3_600_000, actsOnTime: false, run };
  const agrees = () => assert.fail("it does not act on time");
  const started = startJob(job, { clock, agrees, runMaxMs: 30_000, onFailure: () => undefined });
  await started.run();
  await assert.rejects(started.run(), /the second run fails/);
  await started.run();
  await started.close();
  assert.deepEqual(started.counts, { runs: 3, failures: 1, items: 14 });
  assert.deepEqual(untils, [3_601_000, 3_601_000, 3_601_000]);
});

test("a run of the steady pace that fails is told, by the job's name", async () => {
  const told = Promise.withResolvers<readonly unknown[]>();
  const error = new Error("it fails");
  const job = { name: "a job", everyMs: 1, actsOnTime: false, run: () => Promise.reject(error) };
  const onFailure = (...failure: readonly unknown[]) => told.resolve(failure);
  const started = startJob(job, { clock, agrees: async () => true, runMaxMs: 1, onFailure });
  // Its timer keeps no process alive.
  const waits = setInterval(() => undefined, 1_000);
  assert.deepEqual(await told.promise, ["a job", error]);
  clearInterval(waits);
  await started.close();
});

test("a job that acts on time does nothing while the clocks differ, and asks again before each page", async () => {
  let agreed = false;
  const agrees = async () => agreed;
  const run = async (_until: number, mayGoOn?: () => Promise<boolean>) => {
    agreed = false;
    return (await mayGoOn?.()) === false ? 1 : 0;
  };
  const job = { name: "a job", everyMs: 3_600_000, actsOnTime: true, run };
  const started = startJob(job, { clock, agrees, runMaxMs: 1, onFailure: () => undefined });
  await started.run();
  assert.deepEqual(started.counts, { runs: 1, failures: 0, items: 0 });
  agreed = true;
  await started.run();
  await started.close();
  assert.deepEqual(started.counts, { runs: 2, failures: 0, items: 1 });
});
