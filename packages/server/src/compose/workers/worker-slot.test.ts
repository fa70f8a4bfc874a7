import assert from "node:assert/strict";
import { test } from "node:test";
import { createLog } from "../../observability/log.ts";
import type { Addresses } from "./messages.ts";
import type { WorkerProcess } from "./worker-process.ts";
import { createWorkerSlot } from "./worker-slot.ts";

const addresses: Addresses = { baseUrl: "http://127.0.0.1:1", managementUrl: "http://127.0.0.1:2" };

/** A worker whose life the test decides. */
function createFakeWorker(pid: number) {
  const ready = Promise.withResolvers<Addresses>();
  const ended = Promise.withResolvers<string>();
  ready.promise.catch(() => undefined);
  const end = (reason: string) => {
    ready.reject(new Error(`The worker ended before it was ready (${reason}).`));
    ended.resolve(reason);
  };
  const worker: WorkerProcess = {
    pid,
    ready: ready.promise,
    released: Promise.resolve(),
    ended: ended.promise,
    ask: () => Promise.resolve(undefined),
    closeBusyConnections: () => undefined,
    stop: () => end("stopped"),
    drain: () => undefined,
    kill: () => end("SIGKILL"),
  };
  return { worker, end, listen: () => ready.resolve(addresses) };
}

function createSlot() {
  const forked: ReturnType<typeof createFakeWorker>[] = [];
  const log = createLog({ level: "fatal" });
  const fork = () => {
    const fake = createFakeWorker(forked.length + 1);
    forked.push(fake);
    return fake.worker;
  };
  const slot = createWorkerSlot({ number: 1, log, fork });
  const forks = async (count: number) => {
    while (forked.length < count) await new Promise(setImmediate);
    return forked[count - 1] ?? assert.fail("no worker");
  };
  const startFirst = async () => {
    const started = slot.start();
    const first = await forks(1);
    first.listen();
    await started;
    return first;
  };
  return { slot, forks, startFirst, forked };
}

test("a successor that does not start leaves the worker before it serving", async () => {
  const { slot, forks, startFirst } = createSlot();
  const first = await startFirst();
  const replaced = slot.replace();
  (await forks(2)).end("exit code 1");
  await assert.rejects(replaced, /ended before it was ready \(exit code 1\)/);
  assert.equal(slot.serving(), first.worker);
  assert.equal(slot.restarts(), 0);
});

test("a worker that cannot be started fails the start with its reason", async () => {
  const { slot, forks } = createSlot();
  const started = slot.start();
  (await forks(1)).end("spawn EAGAIN");
  await assert.rejects(started, /spawn EAGAIN/);
});

test("a worker that ends while its successor starts is not started again beside it", async () => {
  const { slot, forks, startFirst, forked } = createSlot();
  const first = await startFirst();
  const replaced = slot.replace();
  const second = await forks(2);
  first.end("SIGKILL");
  // Longer than the wait before a worker is started again.
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.equal(forked.length, 2);
  second.listen();
  await replaced;
  assert.equal(slot.serving(), second.worker);
  slot.leave();
});

test("a worker that ends by itself is started again until one serves", async () => {
  const { slot, forks, startFirst } = createSlot();
  const first = await startFirst();
  first.end("SIGKILL");
  (await forks(2)).end("exit code 1");
  const third = await forks(3);
  third.listen();
  while (slot.serving() !== third.worker) await new Promise(setImmediate);
  assert.equal(slot.restarts(), 2);
  slot.leave();
});
