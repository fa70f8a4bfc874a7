// Steps of a move, by two movers at once, late, or on a cell that has lost them: an account is in one cell, with all its money.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { compareMoves } from "../../packages/server/src/admin/audit/compare-moves.ts";
import { createClock } from "../../packages/server/src/basics/clock.ts";
import { newId } from "../../packages/server/src/basics/ids.ts";
import type { MovedAccount } from "../../packages/server/src/ledger/reference/directory.ts";
import {
  arriveAccount,
  leaveAccount,
  receiveAccount,
} from "../../packages/server/src/store/tables/cells/account-moves.ts";
import { finishMove, listMovedAccounts } from "../../packages/server/src/store/tables/cells/moved-accounts.ts";
import { arriveAgain, createAccountMover } from "../../packages/server/src/transit/move-accounts.ts";
import type { MoveDeps, MoveEnd, MovingCell } from "../../packages/server/src/transit/move-deps.ts";
import { relocateAll } from "../../packages/server/src/transit/relocate-account.ts";
import { eventually } from "../support/black-box/answers.ts";
import { partner } from "../engine/transfers.ts";
import { joinCells } from "./joined-cells.ts";
import { asOwner, inNo, spoil } from "./transit-fixture.ts";

const cells = await joinCells(2);
after(() => cells[Symbol.asyncDispose]());
const { pool: home } = cells.of(0);
const { pool: other } = cells.of(1);
const numberFrom = "account 900";
const opening = 1_000_000;

let partnerCells = [0, 1];
let monotonic = 0;
const ends: MoveEnd[] = [];

/** A node whose copy of home is as it was when it last read it. */
function mover(
  isSilent: (cell: number) => boolean = () => false,
  confirmed: MovingCell["confirmed"] = (work) => work(),
) {
  let copy = new Map<string, MovedAccount>();
  const refresh = async () => {
    const rows = await listMovedAccounts(home, "", 1_000);
    copy = new Map(rows.filter(({ movingTo }) => movingTo !== undefined).map((row) => [row.accountNo, row]));
  };
  const deps: MoveDeps = {
    clock: { ...createClock(), monotonic: () => monotonic },
    cell: (number) => (isSilent(number) ? undefined : { ...cells.of(number), confirmed }),
    stream: cells.stream,
    partnerOf: () => ({
      key: partner,
      partnerId: "SHOP01",
      status: "active",
      cells: partnerCells.map((cell) => ({ cell })),
    }),
    moving: () => copy,
    refresh,
    onEnd: (end) => void ends.push(end),
  };
  return { ...createAccountMover(deps), refresh, deps };
}

let moves = 0;
/** As an approved act does it. */
async function announce(accountNo: string, to: number): Promise<number> {
  moves += 1;
  const text = `insert into moved_accounts (account_no, cell, moving_to, act_id, number, version) values ($1, 1 - $2::int, $2, $3, $4, $4)
    on conflict (account_no) do update set moving_to = excluded.moving_to, refusal = null, number = excluded.number`;
  await asOwner(cells.of(0).ownerUrl, (client) => client.query(text, [accountNo, to, newId(), moves]));
  return moves;
}

/** Until none of the movers has anything left. */
async function runAll(...movers: readonly ReturnType<typeof mover>[]): Promise<void> {
  for (const one of movers) await one.refresh();
  await eventually(async () => {
    monotonic += 10_000;
    await Promise.all(movers.map((one) => one.run()));
    return movers.every(({ deps }) => deps.moving().size === 0);
  }, 20);
}

const statusIn = (cell: number, accountNo: string) =>
  asOwner(cells.of(cell).ownerUrl, async (client) => {
    const { rows } = await client.query<{ status: string }>("select status from accounts where account_no = $1", [
      accountNo,
    ]);
    return rows[0]?.status;
  });
const statuses = async (accountNo: string) => [await statusIn(0, accountNo), await statusIn(1, accountNo)];
/** The fixture has accounts of these numbers in both cells. */
const forget = (accountNo: string) =>
  spoil(
    cells.of(1).ownerUrl,
    `delete from entries where account_id = (select id from accounts where account_no = '${accountNo}')`,
    `delete from accounts where account_no = '${accountNo}'`,
  );
const all = new Map([
  [0, home],
  [1, other],
]);

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
  monotonic += 2_900;
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
  monotonic += 59_000;
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
  monotonic += 61_000;
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
  await asOwner(cells.of(0).ownerUrl, async (client) => {
    await client.query("set session_replication_role = replica");
    const { rows } = await client.query<{ id: string }>("select id from accounts where account_no = '2'");
    await client.query(
      `with a as (update accounts set balance = balance + 70, version = version + 1 where id = $1 returning id, version, balance)
       insert into entries (account_id, version, journal_id, kind, currency, amount, balance_after, created_at)
       select id, version, $2, 4, 'IDR', 70, balance, now() from a`,
      [rows[0]?.id, newId()],
    );
  });
  assert.equal(await relocateAll(mover().deps, 0), 1);
  await eventually(async () => (await cells.balanceIn(1, "2")) === opening + 70);
  assert.equal(await cells.balanceIn(0, "2"), 0);
  assert.equal(await relocateAll(mover().deps, 0), 0);
});

test("an account that a partner cannot use there stays, as does one that is there, or that nobody has", async () => {
  partnerCells = [0];
  for (const accountNo of ["6", "7", numberFrom]) await announce(accountNo, 1);
  await forget("6");
  await runAll(mover());
  partnerCells = [0, 1];
  const rows = new Map((await listMovedAccounts(home, "", 1_000)).map((row) => [row.accountNo, row]));
  assert.match(String(rows.get("6")?.refusal), /^partner SHOP01 has no calls in cell 1 yet/);
  assert.equal(rows.get("7")?.refusal, "cell 1 has another account of this number");
  assert.equal(rows.get(numberFrom)?.refusal, "there is no such account of a holder");
  assert.deepEqual(await statuses("6"), ["active", undefined]);
});

test("a cell that has lost an account gets it back with its money, its terms and the day's use", async () => {
  await forget("8");
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
  assert.equal((await compareMoves(home, all)).find(({ subject }) => subject === "8")?.found, "moved in cell 0");
  await eventually(async () => (await statusIn(1, "8")) === "arriving");
  await eventually(async () => (await cells.balanceIn(1, "8")) === opening);
  assert.equal(await arriveAgain(mover().deps, 1), 1);
  const [terms] = await asOwner(cells.of(1).ownerUrl, async (client) => {
    const { rows } = await client.query<object>(
      "select status, minimum_balance, daily_debit_date, daily_debit_total, daily_debit_count from accounts where account_no = '8'",
    );
    return rows;
  });
  const use = { daily_debit_date: 3, daily_debit_total: "4", daily_debit_count: 2 };
  assert.deepEqual(terms, { status: "dormant", minimum_balance: "5", ...use });
  assert.equal(await arriveAgain(mover().deps, 1), 0);
});
