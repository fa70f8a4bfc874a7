import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type Job, startJob } from "./job.ts";

const clock = { real: () => 1_000 };

test("runs of a job are counted, and a failure is none of the others'", async () => {
  let runs = 0;
  const run = async () => {
    runs += 1;
    if (runs === 2) throw new Error("the second run fails");
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
});

test("a job that is told of due work runs before its interval is over, until it is closed", async () => {
  let runNow = () => assert.fail("it was not started");
  const ran = Promise.withResolvers<void>();
  const run: Job["run"] = async () => {
    ran.resolve();
    return 1;
  };
  const onDue: Job["onDue"] = (tell) => {
    runNow = tell as typeof runNow;
  };
  const job = { name: "a job", everyMs: 3_600_000, actsOnTime: false, run, onDue };
  const deps = { clock, agrees: async () => true, runMaxMs: 30_000, onFailure: assert.fail };
  const started = startJob(job, deps);
  runNow();
  await ran.promise;
  await started.close();
  runNow();
  await nextTurn();
  assert.equal(started.counts.items, 1);
});

test("a run goes on for as long as its interval, and at least for the time of the settings", async () => {
  for (const [everyMs, runMaxMs] of [
    [100, 50],
    [50, 100],
  ] as const) {
    let now = 1_000;
    // A page a millisecond.
    const run: Job["run"] = async (mayGoOn) => {
      while (await mayGoOn()) now += 1;
      return 0;
    };
    const job = { name: "a job", everyMs, actsOnTime: false, run };
    const deps = { clock: { real: () => now }, agrees: async () => true, runMaxMs, onFailure: () => undefined };
    const started = startJob(job, deps);
    await started.run();
    await started.close();
    assert.equal(now, 1_100);
  }
});

test("a job that is stopped ends its run at the next page, and begins no other", async () => {
  const begun = Promise.withResolvers<void>();
  const run: Job["run"] = async (mayGoOn) => {
    begun.resolve();
    let pages = 0;
    for (; pages < 10_000 && (await mayGoOn()); pages += 1) await nextTurn();
    return pages;
  };
  const job = { name: "a job", everyMs: 3_600_000, actsOnTime: false, run };
  const agrees = () => assert.fail("it does not act on time");
  const started = startJob(job, { clock, agrees, runMaxMs: 1, onFailure: () => undefined });
  void started.run();
  await begun.promise;
  await started.close();
  await started.run();
  assert.ok(started.counts.items < 10_000);
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
  const run: Job["run"] = async (mayGoOn) => {
    agreed = false;
    return (await mayGoOn()) ? 0 : 1;
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
