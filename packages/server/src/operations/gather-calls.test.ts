// Calls that share statements: turns of partners, and what becomes of calls that are refused or given up.
import assert from "node:assert/strict";
import { test } from "node:test";
import { gatherCalls } from "./gather-calls.ts";

/** Statements wait until they are released. */
function gatheredWith({ waiting = 100, ofOne = 100 } = {}) {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const statements: string[] = [];
  const ask = gatherCalls({
    name: "it",
    running: 1,
    itemsMax: 3,
    waiting,
    waitingOfOnePartner: ofOne,
    answerMs: 1_000,
    carryOut: async (items: readonly string[]) => {
      statements.push(items.join(""));
      await held;
      return items.join("");
    },
  });
  return { ask: (partner: string, items: string) => ask(partner, items.split("")), statements, release };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

test("partners take turns slice by slice, and a statement has as many slices as fit", async () => {
  const { ask, statements, release } = gatheredWith();
  const asked = [ask("a", "abcdefgh"), ask("a", "i"), ask("b", "x"), ask("b", "yz")];
  release();
  assert.deepEqual(await Promise.all(asked), [["abc", "def", "ghi"], ["ghi"], ["xyz"], ["xyz"]]);
  assert.deepEqual(statements, ["abc", "xyz", "def", "ghi"]);
});

test("a partner with too many calls is refused and another is not, and no statement has slices of a refused call", async () => {
  const { ask, statements, release } = gatheredWith({ waiting: 4, ofOne: 3 });
  const first = ask("a", "a");
  await nextTurn();
  await assert.rejects(ask("a", "bcdefghijklm"), /too many calls wait for it/);
  const asked = [ask("a", "n"), ask("b", "x")];
  await nextTurn();
  assert.deepEqual(statements, ["a"]);
  release();
  await Promise.all([first, ...asked]);
  assert.deepEqual(statements, ["a", "nx"]);
});

test("calls that were given up make room for others, and no statement has them", async ({ mock }) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { ask, statements, release } = gatheredWith({ waiting: 2, ofOne: 2 });
  const first = ask("a", "a");
  await nextTurn();
  const late = [first, ask("a", "b"), ask("a", "c")];
  mock.timers.tick(1_000);
  for (const one of late) await assert.rejects(one, /it did not answer in time/);
  const next = [ask("a", "d"), ask("a", "e")];
  release();
  await Promise.all(next);
  assert.deepEqual(statements, ["a", "de"]);
});
