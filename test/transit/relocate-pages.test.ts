// Money that comes to accounts that have left a cell, behind many accounts without money, and where a part of the job fails.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Pool } from "pg";
import { createAccountMoves } from "../../packages/server/src/compose/cells/moves.ts";
import type { Core } from "../../packages/server/src/compose/core.ts";
import { listMovedWithMoney } from "../../packages/server/src/store/tables/cells/account-moves.ts";
import { createRelocateMoved } from "../../packages/server/src/transit/relocate-account.ts";
import { eventually } from "../support/black-box/answers.ts";
import { mayGoOn } from "../support/run-job.ts";
import { joinMovers, opening } from "./movers.ts";
import { spoil } from "./transit-fixture.ts";

const { announce, cells, credit, forget, home, mover, runAll, statusIn, world } = await joinMovers();
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
// A page of 1,024 and some more, before all others.
await spoil(
  cells.of(0).ownerUrl,
  `insert into account_moves (account_no, moved_to, number, status, minimum_balance)
   select '0' || 10000 + n, case when n % 2 = 0 then 1 end, 0, 'active', 0 from generate_series(1, 1100) n`,
);

/** True so many times. */
const times = (most: number) => {
  let asked = 0;
  return async () => (asked += 1) <= most;
};

test("a page has the accounts with money of so many moves, and ends with the last of them", async () => {
  await credit("1", 10);
  const first = await listMovedWithMoney(home, "");
  assert.deepEqual(first, { accounts: [], last: "011024" });
  const second = await listMovedWithMoney(home, "011024");
  assert.deepEqual(second, { accounts: [{ accountNo: "1", currency: "IDR", to: 1 }], last: "3" });
  assert.deepEqual(await listMovedWithMoney(home, "3"), { accounts: [], last: undefined });
});

test("money behind the first page goes on, and a run goes on where the one before has ended", async () => {
  await credit("2", 20);
  const relocateMoved = createRelocateMoved(node.deps, 0);
  assert.equal(await relocateMoved(times(1)), 0, "the first page has none");
  assert.equal(await relocateMoved(times(2)), 1, "the second page, and the first account of it");
  assert.equal(await relocateMoved(times(2)), 1, "the second one");
  await credit("1", 5);
  assert.equal(await relocateMoved(mayGoOn), 0, "the end");
  assert.equal(await relocateMoved(mayGoOn), 1, "and again from the beginning");
  await eventually(async () => (await cells.balanceIn(1, "1")) === opening + 15);
  await eventually(async () => (await cells.balanceIn(1, "2")) === opening + 20);
});

test("a run has a bounded number of pages", async () => {
  let pages = 0;
  const query = async () => ({ rows: [[String((pages += 1)), null, null, null]] });
  const here = node.deps.cell(0);
  const cell = () => here && { ...here, pool: { query } as unknown as Pool };
  await createRelocateMoved({ ...node.deps, cell }, 0)(mayGoOn);
  assert.equal(pages, 128);
});

/** The cell's job on a node whose statement of that name fails. */
function jobOf(cell: number, failing: string) {
  const find = (number: number) => {
    const { engine, pool } = cells.of(number);
    const query = async (config: { readonly name?: string }) => {
      if (number === cell && config.name === failing) throw new Error(`${failing} fails`);
      return pool.query(config as never);
    };
    return { engine, adminPool: Object.assign(Object.create(pool), { query }) } as unknown as Core;
  };
  const { clock, cells: all, moved, moving, refresh } = node.deps;
  const current = () => ({ directory: { cells: all(), moved: moved(), moving: moving() } });
  const core = { clock, reference: { current, refresh } } as unknown as Core;
  const [relocate] = createAccountMoves(core, find, cells.stream).jobsOf(cell);
  assert.equal(relocate?.name, "relocate-accounts");
  return assert.rejects(relocate.run(mayGoOn), new RegExp(`${failing} fails`));
}

test("a part of the job that fails keeps no other from running", async () => {
  await credit("1", 1);
  await jobOf(0, "list-arriving-accounts");
  assert.equal(await cells.balanceIn(0, "1"), 0);
  // As a restore loses it: it is opened anew, and takes debits again.
  await spoil(
    cells.of(1).ownerUrl,
    "delete from entries where account_id in (select id from accounts where account_no = '3')",
    "delete from accounts where account_no = '3'",
    "delete from account_moves where account_no = '3'",
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );
  await eventually(async () => {
    await jobOf(1, "list-moved-with-money");
    return (await statusIn(1, "3")) === "active";
  });
});
