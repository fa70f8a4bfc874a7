// Many accounts that a cell has lost: one that cannot be opened, or does not arrive, keeps no other waiting.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { compareMoves } from "../../packages/server/src/admin/audit/compare-moves.ts";
import { createArriveAgain, createOpenLost } from "../../packages/server/src/transit/lost-accounts.ts";
import { eventually } from "../support/black-box/answers.ts";
import { mayGoOn } from "../support/run-job.ts";
import { joinMovers } from "./movers.ts";
import { acrossCommand, spoil } from "./transit-fixture.ts";

const { all, announce, cells, forget, home, mover, runAll, statusIn, world } = await joinMovers();
after(() => cells[Symbol.asyncDispose]());

const numbers = ["1", "2", "3"];
for (const accountNo of numbers) {
  await forget(accountNo);
  await announce(accountNo, 1);
}
await runAll(mover());
const node = mover();
await node.refresh();
world.node = node.deps;
// The first is another account of its number, which has left; the others are lost.
await spoil(
  cells.of(1).ownerUrl,
  "update accounts set status = 'moved', currency = 'USD' where account_no = '1'",
  "update account_moves set moved_to = 0, number = 0 where account_no = '1'",
  "delete from entries where account_id in (select id from accounts where account_no in ('2', '3'))",
  "delete from accounts where account_no in ('2', '3')",
  "delete from account_moves where account_no in ('2', '3')",
  // As a restart ends them: sessions remember ids of accounts.
  "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
);
const statuses = async () => Promise.all(numbers.map((accountNo) => statusIn(1, accountNo)));

test("another account of a lost one's number is left out and told, and those behind it are opened", async () => {
  assert.equal(await eventually(() => createOpenLost(node.deps, 1)(mayGoOn)), true);
  assert.deepEqual(await statuses(), ["moved", "arriving", "arriving"]);
  const [told] = (await compareMoves(home, all)).filter(({ subject }) => subject === "1");
  assert.deepEqual(told && [told.check, told.found], ["accountOfOneCell", "moved in cell 0, moved in cell 1"]);
});

test("what is paid to its number goes to unapplied funds, and what is behind it goes on", async () => {
  for (const [to, amount] of [
    ["1", 30n],
    ["2", 40n],
  ] as const) {
    const { kind } = await cells.of(0).engine.submit(acrossCommand({ from: "9", to, amount, cell: 1 }));
    assert.equal(kind, "effect");
  }
  cells.stream(0, 1)?.poke("IDR");
  await eventually(async () => (await cells.balanceIn(1, "2")) === 40);
  assert.equal(await cells.balanceIn(1, "unclaimed:IDR"), 30);
});

test("the search for those whose money has come asks before each account, and goes on behind one that is stuck", async () => {
  // Home says again that it moves: it does not arrive meanwhile.
  const stuck = new Map([["2", { accountNo: "2", cell: 1, movingTo: 0, number: 99, hasMoved: true }]]);
  const arriveAgain = createArriveAgain({ ...node.deps, moving: () => stuck }, 1);
  const times = (most: number) => {
    let asked = 0;
    return async () => (asked += 1) <= most;
  };
  // The page, and the first of it.
  assert.equal(await arriveAgain(times(2)), 0);
  assert.deepEqual(await statuses(), ["moved", "arriving", "arriving"]);
  assert.equal(await arriveAgain(times(2)), 1);
  assert.deepEqual(await statuses(), ["moved", "arriving", "active"]);
  stuck.clear();
  assert.equal(await arriveAgain(mayGoOn), 0, "the end");
  assert.equal(await arriveAgain(mayGoOn), 1, "and again from the beginning");
  assert.deepEqual(await statuses(), ["moved", "active", "active"]);
});
