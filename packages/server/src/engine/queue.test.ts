import assert from "node:assert/strict";
import { test } from "node:test";
import { createQueue, type FlightLimits, type Pending, type Queue } from "./queue.ts";

const limits = { callers: 8, callersOfOnePartner: 4, duties: 3 };
const roomy = { callers: 10_000, callersOfOnePartner: 10_000, duties: 10_000 };
const flight: FlightLimits = { commands: 8, weight: 100 };

/** A command of a partner, or a duty where none is named; called by its name in the assertions. */
function pending(name: string, partner?: string, weight = 1): Pending {
  const decide = () => ({ kind: "nothing" }) as const;
  const command = { id: name, weight, deadline: 0, locks: {}, decide, ...(partner === undefined ? {} : { partner }) };
  return { command, commitSent: false, uncertain: false, settled: false, settle: () => {} };
}

/** Queues commands named by their partner's letter and a number (`a1`), duties by `d` (`d1`). */
function fill(queue: Queue, names: readonly string[]): void {
  for (const name of names) {
    const partner = name.slice(0, 1);
    assert.ok(queue.offer(partner === "d" ? pending(name) : pending(name, partner)), `${name} had no room`);
  }
}

const namesOf = (list: readonly Pending[]) => list.map((one) => one.command.id).join(" ");
const take = (queue: Queue, commands: number) => namesOf(queue.take({ ...flight, commands }));

test("partners take turns, and who was served goes to the end of the line", () => {
  const queue = createQueue(roomy);
  fill(queue, ["a1", "a2", "a3", "a4", "b1", "b2", "c1"]);
  assert.equal(take(queue, 4), "a1 b1 c1 a2");
  fill(queue, ["c2"]);
  assert.equal(take(queue, 4), "b2 a3 c2 a4");
  assert.equal(take(queue, 4), "");
});

test("one partner's thousand calls do not delay another's first", () => {
  const queue = createQueue(roomy);
  fill(
    queue,
    Array.from({ length: 1_000 }, (_, i) => `a${i}`),
  );
  fill(queue, ["b1"]);
  assert.ok(take(queue, 4).includes("b1"));
});

test("a flight leaves a quarter to waiting duties, and all the room that one side does not use to the other", () => {
  const queue = createQueue(roomy);
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

test("a queue of duties alone flies full", () => {
  const queue = createQueue(roomy);
  fill(
    queue,
    Array.from({ length: 9 }, (_, i) => `d${i}`),
  );
  assert.equal(take(queue, 8), "d0 d1 d2 d3 d4 d5 d6 d7");
});

test("weight bounds a flight, in order, but never leaves one empty", () => {
  const queue = createQueue(roomy);
  for (const [name, weight] of [
    ["a1", 60],
    ["a2", 60],
    ["a3", 500],
    ["a4", 1],
  ] as const) {
    queue.offer(pending(name, "a", weight));
  }
  const taken = Array.from({ length: 4 }, () => namesOf(queue.take(flight)));
  assert.deepEqual(taken, ["a1", "a2", "a3", "a4"]);
  queue.offer(pending("a5", "a", 40));
  queue.offer(pending("a6", "a", 60));
  assert.equal(namesOf(queue.take(flight)), "a5 a6");
});

test("a duty that callers leave no room for begins the next flight", () => {
  const queue = createQueue(roomy);
  for (let i = 0; i < 20; i += 1) queue.offer(pending(`a${i}`, "a", 25));
  queue.offer(pending("heavy duty", undefined, 90));
  assert.equal(take(queue, 8), "a0 a1 a2 a3");
  assert.equal(take(queue, 8), "heavy duty");
  assert.equal(take(queue, 8), "a4 a5 a6 a7");
  fill(queue, ["d1", "d2"]);
  const ofOne = Array.from({ length: 4 }, () => take(queue, 1));
  assert.deepEqual(ofOne, ["a8", "d1", "a9", "d2"]);
});

test("the queue is bounded: as a whole, for one partner, for duties", () => {
  const queue = createQueue(limits);
  fill(queue, ["a1", "a2", "a3", "a4"]);
  assert.equal(queue.hasRoom("a"), false);
  assert.equal(queue.offer(pending("a5", "a")), false);
  fill(queue, ["b1", "b2", "c1", "c2", "d1", "d2", "d3"]);
  assert.equal(queue.hasRoom("e"), false);
  assert.equal(queue.offer(pending("e1", "e")), false);
  assert.equal(queue.hasRoom(undefined), false);
  assert.equal(queue.offer(pending("d4")), false);
  assert.deepEqual(queue.depth, { callers: 8, duties: 3 });
  assert.equal(take(queue, 8), "a1 b1 c1 a2 b2 c2 d1 d2");
  assert.equal(queue.hasRoom("a"), true);
  assert.deepEqual(queue.depth, { callers: 2, duties: 1 });
});

test("what is over is taken out wherever it stands, and the rest keeps its turn", () => {
  const queue = createQueue(roomy);
  fill(queue, ["a1", "a2", "b1", "c1", "d1", "d2", "a3"]);
  const over = new Set(["a1", "a3", "c1", "d2"]);
  assert.equal(namesOf(queue.drop((one) => over.has(one.command.id))), "d2 a1 a3 c1");
  assert.deepEqual(queue.depth, { callers: 2, duties: 1 });
  assert.equal(take(queue, 8), "a2 b1 d1");
  assert.deepEqual(queue.depth, { callers: 0, duties: 0 });
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
  queue.take(flight);
  const last = wait();
  queue.close();
  await last;
  assert.equal(woken, 3);
});

test("a closed queue takes nothing more and still hands out what waits", () => {
  const queue = createQueue(limits);
  fill(queue, ["a1", "d1"]);
  queue.close();
  assert.equal(queue.isClosed(), true);
  assert.equal(queue.offer(pending("a2", "a")), false);
  assert.equal(take(queue, 8), "a1 d1");
});
