// Waits for cells that are silent, and for one that is busy.
import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { createAskCells } from "./ask-cells.ts";

/** Cells that are asked on a clock of the test's own. `pass` lets time pass on it. */
function asked(t: TestContext) {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"] });
  const ask = createAskCells({ monotonic: () => Date.now() });
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += 100) {
      t.mock.timers.tick(100);
      for (let turn = 0; turn < 8; turn += 1) await Promise.resolve();
    }
  };
  return { ask, pass };
}

const never = new Promise<string>(() => undefined);

test("a cell that answers nothing for 2 s is silent", async (t) => {
  const { ask, pass } = asked(t);
  const answers = ask(
    [0, 1],
    (cell) => (cell === 0 ? Promise.resolve("none") : never),
    () => false,
  );
  await pass(2_000);
  assert.deepEqual(await answers, [
    { cell: 0, result: "none" },
    { cell: 1, result: undefined },
  ]);
});

test("a cell that is busy with other calls is waited for", async (t) => {
  const { ask, pass } = asked(t);
  const { promise: late, resolve } = Promise.withResolvers<string>();
  const answers = ask(
    [1],
    () => late,
    () => false,
  );
  for (let second = 0; second < 6; second += 1) {
    await ask(
      [1],
      () => Promise.resolve("another"),
      () => false,
    );
    await pass(1_000);
  }
  resolve("late");
  assert.deepEqual(await answers, [{ cell: 1, result: "late" }]);
});

test("it is waited for no longer than 10 s, and a failure is no answer", async (t) => {
  const { ask, pass } = asked(t);
  let isEnded = false;
  const answers = ask(
    [1],
    () => never,
    () => false,
  ).finally(() => (isEnded = true));
  for (let second = 0; second < 9; second += 1) {
    await ask(
      [1],
      () => Promise.resolve("another"),
      () => false,
    );
    await pass(1_000);
  }
  assert.ok(!isEnded);
  await ask(
    [1],
    () => Promise.resolve("another"),
    () => false,
  );
  await pass(1_000);
  assert.deepEqual(await answers, [{ cell: 1, result: undefined }]);

  const other = ask(
    [2],
    () => never,
    () => false,
  );
  for (let half = 0; half < 4; half += 1) {
    await ask(
      [2],
      () => (half % 2 === 0 ? Promise.reject(new Error("away")) : Promise.resolve(undefined)),
      () => false,
    );
    await pass(500);
  }
  assert.deepEqual(await other, [{ cell: 2, result: undefined }]);
});

test("nobody is waited for once one has settled it", async (t) => {
  const { ask } = asked(t);
  const answers = await ask(
    [0, 1],
    (cell) => (cell === 0 ? Promise.resolve("final") : never),
    () => true,
  );
  assert.deepEqual(
    answers.map(({ result }) => result),
    ["final", undefined],
  );
});
