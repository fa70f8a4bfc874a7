// Steps of a move, by two movers at once, late, or on a cell that has lost them: an account is in one cell, with all its money.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { compareMoves } from "../../packages/server/src/admin/audit/compare-moves.ts";
import { newId } from "../../packages/server/src/basics/ids.ts";
import {
  arriveAccount,
  leaveAccount,
  receiveAccount,
  stayAccount,
} from "../../packages/server/src/store/tables/cells/account-moves.ts";
import { finishMove, listMovedAccounts } from "../../packages/server/src/store/tables/cells/moved-accounts.ts";
import { createAccountMover } from "../../packages/server/src/transit/account-mover.ts";
import { createRelocateMoved } from "../../packages/server/src/transit/relocate-account.ts";
import type { TransitShipper } from "../../packages/server/src/transit/ship-transit.ts";
import { eventually } from "../support/black-box/answers.ts";
import { partner } from "../engine/transfers.ts";
import { asOwner, inNo, spoil } from "./transit-fixture.ts";
import { mayGoOn } from "../support/run-job.ts";
import { joinMovers, opening } from "./movers.ts";

const { all, announce, cells, credit, ends, forget, home, mover, other, runAll, statuses, world } = await joinMovers();
after(() => cells[Symbol.asyncDispose]());

test("two movers at once move accounts there and back, and no money is lost", async () => {
  for (const accountNo of ["1", "2", "3"]) await forget(accountNo);
  const movers = [mover(), mover()];
  for (const to of [1, 0, 1]) {
    for (const accountNo of ["1", "2", "3"]) await announce(accountNo, to);
    await runAll(...movers);
    for (const accountNo of ["1", "2", "3"]) {
      assert.deepEqual(await statuses(accountNo), to === 1 ? ["moved", "active"] : ["active", "moved"]);
      assert.equal(await cells.balanceIn(to, accountNo), opening);
      assert.equal(await cells.balanceIn(1 - to, accountNo), 0);
    }
  }
  assert.deepEqual(await compareMoves(home, all), []);
  assert.deepEqual([...new Set(ends.map(({ refusal }) => refusal))], [undefined]);
});

test("nothing is done before an account has been announced for some seconds", async () => {
  await forget("4");
  await announce("4", 1);
  const one = mover();
  await one.refresh();
  await one.run();
  world.monotonic += 4_900;
  await one.run();
  assert.deepEqual(await statuses("4"), ["active", undefined]);
  await runAll(one);
  assert.deepEqual(await statuses("4"), ["moved", "active"]);
});

test("steps of an earlier move change nothing", async () => {
  // Account 1 has moved to cell 1 twice, by the moves 1 and 7.
  const late = { accountNo: "1", number: 1 };
  await assert.rejects(leaveAccount(other, late, 0), /the move of account .* is over/);
  const terms = { id: newId(), name: "late", currency: "IDR", type: "S", partners: [], limits: {}, at: 0 } as const;
  await receiveAccount(home, late, 1, { ...terms, status: "active", minimumBalance: "0" });
  const arrival = { mirror: inNo, sent: 0, use: { day: 9, total: 9n as never, count: 9 } };
  assert.equal(await arriveAccount(other, late, arrival), false);
  assert.equal(await finishMove(home, late, { cell: 0 }), false);
  assert.deepEqual(await statuses("1"), ["moved", "active"]);
  assert.deepEqual(await compareMoves(home, all), []);
});

test("an account does not arrive before its money", async () => {
  await forget("5");
  const step = { accountNo: "5", number: await announce("5", 1) };
  await leaveAccount(home, step, 1);
  await receiveAccount(other, step, 0, {
    id: newId(1),
    name: "holder",
    currency: "IDR",
    type: "S",
    partners: [partner],
    limits: {},
    status: "dormant",
    minimumBalance: "7",
    at: 0,
  });
  const arrival = { mirror: "transit:in:IDR:00", sent: 1_000_000, use: { day: 9, total: 9n as never, count: 9 } };
  await assert.rejects(arriveAccount(other, step, arrival), /is not here yet/);
  assert.deepEqual(await statuses("5"), ["moved", "arriving"]);
  // Its terms do not apply while nothing is on it; the rest is a mover's.
  await runAll(mover());
  assert.deepEqual(await statuses("5"), ["moved", "dormant"]);
});

test("an account whose new cell does not answer stays, and its move is over for a node that reaches it", async () => {
  await forget("9");
  const number = await announce("9", 1);
  const alone = mover((cell) => cell === 1);
  await alone.refresh();
  await alone.run();
  world.monotonic += 59_000;
  await alone.run();
  assert.equal(alone.deps.moving().size, 1);
  const slow = { accountNo: "9", number };
  await runAll(alone);
  const row = (await listMovedAccounts(home, "", 1_000)).find(({ accountNo }) => accountNo === "9");
  assert.equal(row?.refusal, "cell 1 does not answer");
  await assert.rejects(leaveAccount(home, slow, 1), /is over/);
  assert.deepEqual(await statuses("9"), ["active", undefined]);
});

test("an account that another node has had leave meanwhile does not stay", async () => {
  await forget("10");
  const step = { accountNo: "10", number: await announce("10", 1) };
  let calls = 0;
  const slow = mover(
    (cell) => cell === 1,
    async (work) => {
      calls += 1;
      // It has read the account, and is about to end its move.
      if (calls === 2) await leaveAccount(home, step, 1);
      return work();
    },
  );
  await slow.refresh();
  await slow.run();
  calls = 0;
  world.monotonic += 61_000;
  assert.equal(await slow.run(), 0);
  await runAll(mover());
  assert.deepEqual(await statuses("10"), ["moved", "active"]);
});

test("an account that home says is here, and that has moved elsewhere, is not moved on", async () => {
  await spoil(cells.of(0).ownerUrl, "update account_moves set moved_to = 7 where account_no = '3'");
  await asOwner(cells.of(0).ownerUrl, (client) =>
    client.query("update moved_accounts set cell = 0 where account_no = '3'"),
  );
  await announce("3", 1);
  await runAll(mover());
  const row = (await listMovedAccounts(home, "", 1_000)).find(({ accountNo }) => accountNo === "3");
  assert.equal(row?.refusal, "it has moved to cell 7: ask for that");
  await spoil(cells.of(0).ownerUrl, "update account_moves set moved_to = 1 where account_no = '3'");
  // As after home was restored: it is asked for again.
  await announce("3", 1);
  await runAll(mover());
  assert.deepEqual(await statuses("3"), ["moved", "active"]);
});

test("later credits of the old cell go on to the new one", async () => {
  await credit("2", 70);
  const relocateMoved = createRelocateMoved(mover().deps, 0);
  assert.equal(await relocateMoved(mayGoOn), 1);
  await eventually(async () => (await cells.balanceIn(1, "2")) === opening + 70);
  assert.equal(await cells.balanceIn(0, "2"), 0);
  assert.equal(await relocateMoved(mayGoOn), 0);
});

test("an account that a partner cannot use there stays, as does one that is there, or that nobody has", async () => {
  world.partnerCells = [0];
  for (const accountNo of ["6", "7", "account 900"]) await announce(accountNo, 1);
  await forget("6");
  await runAll(mover());
  world.partnerCells = [0, 1];
  const rows = new Map((await listMovedAccounts(home, "", 1_000)).map((row) => [row.accountNo, row]));
  assert.match(String(rows.get("6")?.refusal), /^partner SHOP01 has no calls in cell 1 yet/);
  assert.equal(rows.get("7")?.refusal, "cell 1 has another account of this number");
  assert.equal(rows.get("account 900")?.refusal, "there is no such account of a holder");
  assert.deepEqual(await statuses("6"), ["active", undefined]);
});

test("an account does not leave for a cell whose stream has stopped, or whose database fails", async () => {
  await forget("12");
  await announce("12", 1);
  const stopped = mover();
  const stream = () => ({ ...cells.stream(0, 1), isStopped: () => true }) as unknown as TransitShipper;
  const one = { ...createAccountMover({ ...stopped.deps, stream }) };
  await stopped.refresh();
  await one.run();
  assert.deepEqual(await statuses("12"), ["active", undefined]);
  const row = (await listMovedAccounts(home, "", 1_000)).find(({ accountNo }) => accountNo === "12");
  assert.match(String(row?.refusal), /^nothing is paid to cell 1 now/);
});

test("a refused move is told with the reason of the node that refused it, which may be gone since", async () => {
  await forget("14");
  const number = await announce("14", 1);
  const refusal = async () =>
    (await listMovedAccounts(home, "", 1_000)).find(({ accountNo }) => accountNo === "14")?.refusal;
  const second = mover();
  await second.refresh();
  await second.run();
  world.monotonic += 20_000;
  let calls = 0;
  // Home fails once this node has written the refusal.
  const first = mover(
    () => false,
    async (work) => {
      calls += 1;
      if (calls === 4) throw new Error("home does not answer");
      return work();
    },
  );
  world.partnerCells = [0];
  await first.refresh();
  await assert.rejects(first.run(), /home does not answer/);
  world.partnerCells = [0, 1];
  assert.equal(await second.run(), 0, "it does not know the reason");
  assert.equal(await refusal(), undefined);
  assert.equal(await first.run(), 1);
  assert.match(String(await refusal()), /^partner SHOP01 has no calls in cell 1 yet/);
  // One that dies before it has told home.
  const later = await announce("14", 1);
  assert.notEqual(later, number);
  await stayAccount(home, { accountNo: "14", number: later });
  await runAll(second);
  assert.equal(await refusal(), "a node that has ended since refused it: ask again");
  assert.deepEqual(await statuses("14"), ["active", undefined]);
});

test("a cell that hangs keeps no account waiting that moves to another one", async () => {
  const moving = new Map(
    [1, 2].map((movingTo) => [
      `1${movingTo}`,
      { accountNo: `1${movingTo}`, cell: 0, movingTo, number: movingTo, hasMoved: false },
    ]),
  );
  let asked = 0;
  const hanging = async () => {
    asked += 1;
    return Promise.withResolvers<never>().promise;
  };
  const { deps } = mover();
  const cell = (number: number) =>
    number === 1 ? { ...cells.of(1), confirmed: hanging } : deps.cell(Math.min(number, 1));
  const one = createAccountMover({ ...deps, cell, moving: () => moving });
  // Account 12 stays, since cell 2 has one of its number.
  for (let times = 0; times < 2; times += 1) assert.equal(await one.run(), 1);
  assert.equal(asked, 1, "and is asked once");
});

test("an account does not leave for a cell that has more of its own cell's payments, before the stream has noticed", async () => {
  await forget("13");
  await announce("13", 1);
  const { deps, refresh } = mover();
  const stream = () => ({ ...cells.stream(0, 1), isStopped: () => false }) as unknown as TransitShipper;
  const one = createAccountMover({ ...deps, stream });
  await spoil(cells.of(1).ownerUrl, `update accounts set version = version + 1 where account_no = 'transit:in:IDR:00'`);
  await refresh();
  await one.run();
  assert.deepEqual(await statuses("13"), ["active", undefined], "it is announced first");
  world.monotonic += 10_000;
  await one.run();
  assert.deepEqual(await statuses("13"), ["active", undefined]);
  const row = (await listMovedAccounts(home, "", 1_000)).find(({ accountNo }) => accountNo === "13");
  assert.match(String(row?.refusal), /^nothing is paid to cell 1 now/);
});
