// Accounts that have moved, and a database that was restored since: they are opened anew, or told.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { compareMoves } from "../../packages/server/src/admin/audit/compare-moves.ts";
import { CellAway } from "../../packages/server/src/transit/cell-away.ts";
import { createArriveAgain, createOpenLost, lostAccountsOf } from "../../packages/server/src/transit/lost-accounts.ts";
import { eventually } from "../support/black-box/answers.ts";
import { acrossCommand, asOwner, spoil } from "./transit-fixture.ts";
import { mayGoOn } from "../support/run-job.ts";
import { joinMovers, opening } from "./movers.ts";

const { all, announce, cells, forget, home, mover, runAll, statuses, statusIn, world } = await joinMovers();
after(() => cells[Symbol.asyncDispose]());

/** The further cell is as it was before the account came. */
const lose = (accountNo: string) =>
  spoil(
    cells.of(1).ownerUrl,
    `delete from entries where account_id = (select id from accounts where account_no = '${accountNo}')`,
    `delete from accounts where account_no = '${accountNo}'`,
    `delete from account_moves where account_no = '${accountNo}'`,
  );

test("a cell that has lost an account gets it back with its money, its terms and the day's use", async () => {
  // Something was paid to the cell before.
  for (const accountNo of ["1", "8"]) await forget(accountNo);
  await announce("1", 1);
  await runAll(mover());
  await asOwner(cells.of(0).ownerUrl, (client) =>
    client.query(
      "update accounts set minimum_balance = 5, status = 'dormant', daily_debit_date = 3, daily_debit_total = 4, daily_debit_count = 2 where account_no = '8'",
    ),
  );
  // Restored to before the account came: the stream begins anew with what was lost.
  const [before] = await asOwner(cells.of(1).ownerUrl, async (client) => {
    const { rows } = await client.query<{ version: string; balance: string }>(
      "select version, balance from accounts where account_no = 'transit:in:IDR:00'",
    );
    return rows;
  });
  await announce("8", 1);
  await runAll(mover());
  await spoil(
    cells.of(1).ownerUrl,
    `delete from entries where account_id in (select id from accounts where account_no = '8')
       or account_id = (select id from accounts where account_no = 'transit:in:IDR:00') and version > ${before?.version}`,
    `update accounts set version = ${before?.version}, balance = ${before?.balance} where account_no = 'transit:in:IDR:00'`,
    "delete from accounts where account_no = '8'",
    "delete from account_moves where account_no = '8'",
    // As a restart ends them: sessions remember ids of accounts.
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );
  // A pool hears of the end of its sessions a moment later.
  const told = async () => (await compareMoves(home, all)).find(({ subject }) => subject === "8")?.found;
  await eventually(async () => (await told().catch(() => undefined)) === "moved in cell 0");
  await eventually(async () => (await statusIn(1, "8")) === "arriving");
  await eventually(async () => (await cells.balanceIn(1, "8")) === opening);
  const late = mover();
  assert.equal(await createArriveAgain(late.deps, 1)(mayGoOn), 0, "before it hears of home");
  await late.refresh();
  assert.equal(await createArriveAgain(late.deps, 1)(mayGoOn), 1);
  const [terms] = await asOwner(cells.of(1).ownerUrl, async (client) => {
    const { rows } = await client.query<object>(
      "select status, minimum_balance, daily_debit_date, daily_debit_total, daily_debit_count from accounts where account_no = '8'",
    );
    return rows;
  });
  const use = { daily_debit_date: 3, daily_debit_total: "4", daily_debit_count: 2 };
  assert.deepEqual(terms, { status: "dormant", minimum_balance: "5", ...use });
  assert.equal(await createArriveAgain(late.deps, 1)(mayGoOn), 0);
});

test("a cell that has lost an account without money opens it anew, and what home has forgotten is told", async () => {
  await forget("11");
  await spoil(
    cells.of(0).ownerUrl,
    "delete from entries where account_id = (select id from accounts where account_no = '11')",
    "update accounts set balance = 0, version = 0 where account_no = '11'",
  );
  await announce("11", 1);
  await runAll(mover());
  await lose("11");
  const late = mover();
  await late.refresh();
  const alone = mover((cell) => cell === 0);
  await alone.refresh();
  assert.equal(await createOpenLost(alone.deps, 1)(mayGoOn), false, "not all cells were asked");
  let isBefore = true;
  const restored = {
    ...late.deps,
    cell: (cell: number) => late.deps.cell(isBefore ? 0 : cell),
    moved: () => (isBefore ? new Map<string, number>() : late.deps.moved()),
  };
  const openLost = createOpenLost(restored, 1);
  assert.equal(await openLost(mayGoOn), true);
  isBefore = false;
  assert.equal(await openLost(mayGoOn), true, "another database is at the cell's address");
  assert.deepEqual(await statuses("11"), ["moved", "arriving"]);
  assert.equal(await createArriveAgain(late.deps, 1)(mayGoOn), 1);
  assert.deepEqual(await statuses("11"), ["moved", "active"]);
  const find = async () => (await compareMoves(home, all)).find(({ subject }) => subject === "11")?.found;
  assert.equal(await find(), undefined);
  await asOwner(cells.of(0).ownerUrl, (client) => client.query("delete from moved_accounts where account_no = '11'"));
  assert.equal(await find(), "moved in cell 0");
});

test("a search for lost accounts ends between pages when it is asked to, goes on there, and reads all again after ten minutes", async () => {
  await forget("12");
  await announce("12", 1);
  await runAll(mover());
  await lose("12");
  let reads = 0;
  const node = mover(
    () => false,
    (work) => {
      reads += 1;
      return work();
    },
  );
  await node.refresh();
  // A first page of numbers that no cell knows.
  const others = Array.from({ length: 256 }, (_, index) => [`none-${index}`, 1] as const);
  const moved = new Map([...others, ...node.deps.moved()]);
  const open = () => createOpenLost({ ...node.deps, moved: () => moved }, 1);
  const onePage = () => {
    let asked = 0;
    return async () => (asked += 1) === 1;
  };
  for (const [cell, status] of [
    [0, undefined],
    [1, "arriving"],
  ] as const) {
    const openLost = open();
    moved.set("12", 1);
    assert.equal(await openLost(onePage()), false);
    assert.equal(await statusIn(1, "12"), undefined);
    // It may have moved on before its page is read.
    moved.set("12", cell);
    assert.equal(await openLost(onePage()), true);
    assert.equal(await statusIn(1, "12"), status);
    const before = reads;
    assert.equal(await openLost(onePage()), true);
    assert.equal(reads, before);
    // A move that was under way then may have hidden one.
    world.monotonic += 600_000;
    await openLost(onePage());
    assert.ok(reads > before);
  }
  assert.equal(await createArriveAgain(node.deps, 1)(mayGoOn), 1);
});

test("a payment to an account that a cell has lost opens it anew, and does not go to unapplied funds", async () => {
  await forget("14");
  await announce("14", 1);
  await runAll(mover());
  const node = mover();
  await node.refresh();
  world.node = node.deps;
  await lose("14");
  await spoil(
    cells.of(1).ownerUrl,
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );
  const silent = (cell: number) => (cell === 0 ? undefined : node.deps.cell(cell));
  const alone = lostAccountsOf({ ...node.deps, cell: silent }, 1);
  await eventually(() =>
    alone.open(["14"]).then(
      () => false,
      (error: unknown) => error instanceof CellAway && error.cell === 0,
    ),
  );
  const { kind } = await cells.of(0).engine.submit(acrossCommand({ from: "15", to: "14", amount: 70n, cell: 1 }));
  assert.equal(kind, "effect");
  cells.stream(0, 1)?.poke("IDR");
  await eventually(async () => (await cells.balanceIn(1, "14")) === 70);
  assert.equal(await cells.balanceIn(1, "unclaimed:IDR"), 0);
  assert.deepEqual(await statuses("14"), ["moved", "arriving"]);
  assert.equal(await createArriveAgain(node.deps, 1)(mayGoOn), 1);
  assert.deepEqual(await statuses("14"), ["moved", "active"]);
});

test("an account that was away when its cell was backed up is opened there again", async () => {
  await forget("16");
  const numbers: number[] = [];
  for (const to of [1, 0, 1]) {
    numbers.push(await announce("16", to));
    await runAll(mover());
  }
  const node = mover();
  await node.refresh();
  await spoil(
    cells.of(1).ownerUrl,
    "update accounts set status = 'moved' where account_no = '16'",
    `update account_moves set moved_to = 0, number = ${numbers[1]} where account_no = '16'`,
  );
  assert.deepEqual(await statuses("16"), ["moved", "moved"]);
  assert.equal(await createOpenLost(node.deps, 1)(mayGoOn), true);
  assert.equal(await createArriveAgain(node.deps, 1)(mayGoOn), 1);
  assert.deepEqual(await statuses("16"), ["moved", "active"]);
});
