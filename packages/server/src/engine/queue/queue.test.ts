import assert from "node:assert/strict";
import { test } from "node:test";
import type { Locks } from "../rows/lock-order.ts";
import { createQueue as createQueueOf, type BatchLimits, type Pending, type Queue, type QueueLimits } from "./queue.ts";

const limits = { requests: 8, requestsOfOnePartner: 4, jobs: 3 };
const ample = { requests: 10_000, requestsOfOnePartner: 10_000, jobs: 10_000 };
const batch: BatchLimits = { commands: 8, rows: 100, unboundedReads: 2 };

/** A command of a partner, or a job where none is named; called by its name in the assertions. */
function pending(name: string, partner?: string, locks: Locks = {}): Pending {
  const decide = () => ({ kind: "nothing" }) as const;
  const command = { id: name, deadline: 0, locks, decide, ...(partner === undefined ? {} : { partner }) };
  return { command, commitSent: false, uncertain: false, settled: false, settle: () => {} };
}

/** Names of commands that had to make room. */
const turnedAway: string[] = [];
const createQueue = (of: QueueLimits) => createQueueOf(of, (one) => turnedAway.push(one.command.id));

/** Queues commands named by their partner's letter and a number (`a1`), jobs by `d` (`d1`). */
function fill(queue: Queue, names: readonly string[]): void {
  for (const name of names) {
    const partner = name.slice(0, 1);
    assert.ok(queue.offer(partner === "d" ? pending(name) : pending(name, partner)), `${name} had no capacity`);
  }
}

const namesOf = (list: readonly Pending[]) => list.map((one) => one.command.id).join(" ");
const take = (queue: Queue, commands: number) => namesOf(queue.dequeue({ ...batch, commands }));

test("partners take turns, and who was served goes to the end of the line", () => {
  const queue = createQueue(ample);
  fill(queue, ["a1", "a2", "a3", "a4", "b1", "b2", "c1"]);
  assert.equal(take(queue, 4), "a1 b1 c1 a2");
  fill(queue, ["c2"]);
  assert.equal(take(queue, 4), "b2 a3 c2 a4");
  assert.equal(take(queue, 4), "");
});

test("one partner's thousand calls do not delay another's first", () => {
  const queue = createQueue(ample);
  fill(
    queue,
    Array.from({ length: 1_000 }, (_, i) => `a${i}`),
  );
  fill(queue, ["b1"]);
  assert.ok(take(queue, 4).includes("b1"));
});

test("a batch leaves a quarter to waiting jobs, and all the room that one side does not use to the other", () => {
  const queue = createQueue(ample);
  fill(
    queue,
    Array.from({ length: 20 }, (_, i) => `a${i}`),
  );
  fill(queue, ["d1", "d2", "d3", "d4"]);
  assert.equal(take(queue, 8), "a0 a1 a2 a3 a4 a5 d1 d2");
  fill(queue, ["d5"]);
  assert.equal(take(queue, 4), "a6 a7 a8 d3");
  assert.equal(take(queue, 20), "a9 a10 a11 a12 a13 a14 a15 a16 a17 a18 a19 d4 d5");
  fill(queue, ["d6", "d7", "a20"]);
  assert.equal(take(queue, 8), "a20 d6 d7");
});

test("a queue of jobs alone is run full", () => {
  const queue = createQueue(ample);
  fill(
    queue,
    Array.from({ length: 9 }, (_, i) => `d${i}`),
  );
  assert.equal(take(queue, 8), "d0 d1 d2 d3 d4 d5 d6 d7");
});

test("refunds that read whole holds are few in a batch, and delay nobody but their own partner", () => {
  const queue = createQueue(ample);
  const hold = { partnerReferenceKey: "key", captures: {} };
  for (const name of ["a1", "a2", "a3"]) queue.offer(pending(name, "a", { hold }));
  queue.offer(pending("a4", "a", { hold: { ...hold, captures: { named: "capture" } } }));
  fill(queue, ["b1", "b2", "b3"]);
  assert.equal(take(queue, 8), "a1 b1 a2 b2 b3");
  assert.equal(take(queue, 8), "a3 a4");
});

test("in a batch of one a job takes turns with requests", () => {
  const queue = createQueue(ample);
  fill(queue, ["a8", "a9", "d1", "d2"]);
  const ofOne = Array.from({ length: 4 }, () => take(queue, 1));
  assert.deepEqual(ofOne, ["a8", "d1", "a9", "d2"]);
});

test("items put back come before all others, in their order", () => {
  const queue = createQueue(ample);
  fill(queue, ["a1", "b1", "d1", "c1"]);
  const [first, second, ...rest] = queue.dequeue(batch);
  assert.equal(namesOf([first, second, ...rest] as Pending[]), "a1 b1 c1 d1");
  fill(queue, ["c2", "b2"]);
  queue.putBack([second, ...rest] as Pending[]);
  assert.equal(take(queue, 8), "b1 c1 b2 c2 d1");
});

test("deferred commands are not served, count towards their partner's share, and come back first", async () => {
  const queue = createQueue(limits);
  fill(queue, ["a1", "a2", "b1", "d1"]);
  for (const one of queue.dequeue(batch)) {
    if (one.command.id === "b1") continue;
    one.lockedRow = one.command.id === "a2" ? "second row" : "first row";
    queue.defer(one);
  }
  assert.deepEqual(queue.depth, { requests: 0, jobs: 0, deferred: 3 });
  fill(queue, ["a3", "a4", "b2"]);
  assert.equal(queue.offer(pending("a5", "a")), false);
  queue.restore((row) => row === "second row");
  assert.equal(take(queue, 8), "a1 b2 a3 a4 d1");
  queue.close();
  assert.equal(queue.isOver(), false);
  assert.equal(namesOf(queue.drop(() => true)), "a2");
  await queue.ready();
  assert.equal(queue.isOver(), true);
});

test("in a full queue the partner with the most gives way to those with less, until all have the same", () => {
  turnedAway.length = 0;
  const queue = createQueue(limits);
  fill(queue, ["a1", "a2", "a3", "a4", "b1", "b2", "b3", "b4"]);
  assert.equal(queue.hasCapacity("a"), false);
  fill(queue, ["c1", "c2"]);
  assert.deepEqual(turnedAway, ["a4", "b4"]);
  assert.equal(queue.offer(pending("c3", "c")), false, "no partner has more than one more");
  fill(queue, ["e1"]);
  assert.deepEqual(turnedAway, ["a4", "b4", "a3"]);
  assert.equal(queue.depth.requests, 8);
  const [locked] = queue.dequeue({ ...batch, commands: 1 }) as [Pending];
  queue.defer(locked);
  assert.equal(take(queue, 8), "b1 c1 e1 a2 b2 c2 b3");
});

test("the queue is bounded: as a whole, for one partner, for jobs", () => {
  const queue = createQueue(limits);
  fill(queue, ["a1", "a2", "a3", "a4"]);
  assert.equal(queue.hasCapacity("a"), false);
  assert.equal(queue.offer(pending("a5", "a")), false);
  fill(queue, ["b1", "b2", "b3", "b4", "d1", "d2", "d3"]);
  assert.equal(queue.hasCapacity(undefined), false);
  assert.equal(queue.offer(pending("d4")), false);
  assert.deepEqual(queue.depth, { requests: 8, jobs: 3, deferred: 0 });
  assert.equal(take(queue, 8), "a1 b1 a2 b2 a3 b3 d1 d2");
  assert.equal(queue.hasCapacity("a"), true);
  assert.deepEqual(queue.depth, { requests: 2, jobs: 1, deferred: 0 });
});

test("overdue items are taken out wherever they stand, and the rest keeps its order", () => {
  const queue = createQueue(ample);
  fill(queue, ["a1", "a2", "b1", "c1", "d1", "d2", "a3"]);
  const over = new Set(["a1", "a3", "c1", "d2"]);
  assert.equal(namesOf(queue.drop((one) => over.has(one.command.id))), "d2 a1 a3 c1");
  assert.deepEqual(queue.depth, { requests: 2, jobs: 1, deferred: 0 });
  assert.equal(take(queue, 8), "a2 b1 d1");
  assert.deepEqual(queue.depth, { requests: 0, jobs: 0, deferred: 0 });
});

test("whoever waits is woken by the first command, or by the end", async () => {
  const queue = createQueue(limits);
  let woken = 0;
  const wait = () => queue.ready().then(() => (woken += 1));
  const first = wait();
  await Promise.resolve();
  assert.equal(woken, 0);
  fill(queue, ["a1"]);
  await first;
  await wait();
  queue.dequeue(batch);
  const last = wait();
  queue.close();
  await last;
  assert.equal(woken, 3);
});

test("a closed queue takes nothing more and still hands out what waits", () => {
  const queue = createQueue(limits);
  fill(queue, ["a1", "d1"]);
  queue.close();
  assert.equal(queue.offer(pending("a2", "a")), false);
  assert.equal(queue.isOver(), false);
  assert.equal(take(queue, 8), "a1 d1");
  assert.equal(queue.isOver(), true);
});
