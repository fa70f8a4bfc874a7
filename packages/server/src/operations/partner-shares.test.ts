import assert from "node:assert/strict";
import { setImmediate as tick } from "node:timers/promises";
import { test } from "node:test";
import { createPartnerShares } from "./partner-shares.ts";

const limits = { running: 4, runningOfOnePartner: 2, waiting: 6, waitingOfOnePartner: 4 };

/** Questions that end when the test says so, with the order in which they began. */
function createQuestions() {
  const shares = createPartnerShares(limits);
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  const ask = (partner: string, name: string) =>
    shares.run(partner, () => {
      began.push(name);
      return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
    });
  const end = async (name: string) => {
    ends.get(name)?.();
    for (let i = 0; i < 5; i += 1) await tick();
  };
  return { shares, began, ask, end };
}

test("one partner holds at most its share, and others start at once", async () => {
  const { began, ask, end } = createQuestions();
  for (const name of ["a1", "a2", "a3", "a4"]) void ask("a", name);
  void ask("b", "b1");
  await tick();
  assert.deepEqual(began, ["a1", "a2", "b1"]);
  await end("a1");
  assert.deepEqual(began, ["a1", "a2", "b1", "a3"]);
});

test("partners take turns", async () => {
  const { began, ask, end } = createQuestions();
  for (const name of ["a1", "a2", "a3"]) void ask("a", name);
  for (const name of ["b1", "b2", "b3"]) void ask("b", name);
  void ask("c", "c1");
  await tick();
  assert.deepEqual(began, ["a1", "a2", "b1", "b2"]);
  for (const name of ["a1", "b1", "a2"]) await end(name);
  assert.deepEqual(began.slice(4), ["a3", "b3", "c1"], "one each, before anyone's next");
});

test("questions beyond the limit are turned away at once, and nothing is lost when one fails", async () => {
  const { shares, began, ask, end } = createQuestions();
  for (let i = 0; i < 6; i += 1) void ask("a", `a${i}`);
  assert.equal(shares.waiting(), 4);
  assert.equal(await ask("a", "one too many"), undefined);
  await end("a0");
  void ask("a", "room again");
  for (const name of ["a1", "a2", "a3", "a4", "a5"]) await end(name);
  assert.equal(began.at(-1), "room again");

  const failing = createPartnerShares(limits);
  for (let i = 0; i < 20; i += 1) await assert.rejects(failing.run("a", () => Promise.reject(new Error("no"))));
  assert.equal(await failing.run("a", () => Promise.resolve("still works")), "still works");
});

test("a partner with less always gets in: the newest question of the partner with the most makes room", async () => {
  const { shares, began, ask, end } = createQuestions();
  const asked = new Map(["a1", "a2", "a3", "a4", "a5", "a6"].map((name) => [name, ask("a", name)]));
  for (const name of ["b1", "b2", "b3", "b4"]) asked.set(name, ask("b", name));
  assert.equal(shares.waiting(), 6);
  void ask("c", "c1");
  assert.equal(await asked.get("a6"), undefined);
  assert.equal(shares.waiting(), 6);
  for (const name of ["a1", "b1", "a2"]) await end(name);
  assert.ok(began.includes("c1"), `began: ${began.join(" ")}`);
});
