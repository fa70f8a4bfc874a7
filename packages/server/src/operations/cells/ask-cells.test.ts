// Waits for cells that are silent, and for one that is busy.
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { type CellAnswer, createAskCells } from "./ask-cells.ts";

const never = new Promise<string>(() => undefined);

/** Cells that are asked on a clock of the test's own. */
function asked(t: TestContext) {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"] });
  const askCells = createAskCells({ monotonic: () => Date.now() });
  const ask = (cells: readonly number[], answer: (cell: number) => Promise<string | undefined>, isFinal = false) => {
    const asking: { answers?: readonly CellAnswer<string>[] } = {};
    void askCells(cells, answer, () => isFinal).then((answers) => (asking.answers = answers));
    return asking;
  };
  /** Each second another call is answered so. */
  const pass = async (seconds: number, cell: number, another: () => Promise<string | undefined>) => {
    for (let second = 0; second < seconds; second += 1) {
      ask([cell], another);
      await settle();
      t.mock.timers.tick(1_000);
      await settle();
    }
  };
  return { ask, pass };
}

async function settle(): Promise<void> {
  for (let turn = 0; turn < 16; turn += 1) await Promise.resolve();
}

test("a cell that answers nothing for 2 s is silent, and a failure is no answer", async (t) => {
  const { ask, pass } = asked(t);
  const asking = ask([0, 1], (cell) => (cell === 0 ? Promise.resolve("none") : never));
  await pass(1, 1, () => Promise.reject(new Error("away")));
  assert.equal(asking.answers, undefined);
  await pass(1, 1, () => Promise.resolve(undefined));
  assert.deepEqual(asking.answers, [
    { cell: 0, result: "none" },
    { cell: 1, result: undefined },
  ]);
});

test("a cell that answers other calls is busy, and is waited for", async (t) => {
  const { ask, pass } = asked(t);
  const { promise: late, resolve } = Promise.withResolvers<string>();
  const asking = ask([1], () => late);
  await pass(6, 1, () => Promise.resolve("another"));
  assert.equal(asking.answers, undefined);
  resolve("late");
  await settle();
  assert.deepEqual(asking.answers, [{ cell: 1, result: "late" }]);
});

test("it is waited for no longer than 10 s", async (t) => {
  const { ask, pass } = asked(t);
  const asking = ask([1], () => never);
  await pass(9, 1, () => Promise.resolve("another"));
  assert.equal(asking.answers, undefined);
  await pass(1, 1, () => Promise.resolve("another"));
  assert.deepEqual(asking.answers, [{ cell: 1, result: undefined }]);
});

test("nobody is waited for once one has settled it", async (t) => {
  const { ask } = asked(t);
  const asking = ask([0, 1], (cell) => (cell === 0 ? Promise.resolve("final") : never), true);
  await settle();
  assert.deepEqual(asking.answers, [
    { cell: 0, result: "final" },
    { cell: 1, result: undefined },
  ]);
});
