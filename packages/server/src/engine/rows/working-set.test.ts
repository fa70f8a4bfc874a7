import assert from "node:assert/strict";
import { test } from "node:test";
import { account, accountId } from "../../../../../test/engine/transfers.ts";
import type { Account } from "../../ledger/accounts/account.ts";
import { newInternalAccount } from "../../ledger/accounts/internal-accounts.ts";
import { minor } from "../../ledger/money.ts";
import type { Posting } from "../../ledger/posting.ts";
import type { Session } from "../../store/postgres/session.ts";
import type { Effect } from "../command.ts";
import { createWorkingSet, type WorkingSet } from "./working-set.ts";

const [one, two, three] = ["1", "2", "3"].map(accountId) as [string, string, string];
const funds = () => [
  account("1", { balance: minor(100n), version: 7 }),
  account("2", { balance: minor(50n), version: 3 }),
];
const rows = (accounts: readonly Account[]) => ({
  accounts,
  holds: [],
  captures: new Map(),
  transfers: [],
  paymentRequests: [],
  openRequests: new Map(),
  bulks: [],
  locked: new Map(),
});
const move = (from: string, to: string, amount: bigint): Posting => ({
  kind: "transfer",
  from,
  to,
  amount: minor(amount),
});
const apply = (workingSet: WorkingSet, ...given: Parameters<WorkingSet["prepare"]>) =>
  workingSet.prepare(...given).apply();
const effect = (parts: Partial<Effect<unknown>>): Effect<unknown> => ({ payload: {}, ...parts });

test("accounts are opened in the order of their numbers, so that two batches never wait for each other's", () => {
  const workingSet = createWorkingSet(rows([]));
  for (const part of [5, 3, 12]) {
    apply(workingSet, effect({ newAccounts: [newInternalAccount(`${part}`, "suspense", "IDR", "rtgs", part)] }), "j");
  }
  const opened: unknown[] = [];
  const run: Session["run"] = async ({ name }, values = []) => {
    opened.push(`${name} ${String(values[1])}`);
    return [];
  };
  workingSet.write({ run } as Session, "now", () => undefined);
  assert.deepEqual(
    opened,
    ["03", "05", "12"].map((part) => `insert-account suspense:rtgs:IDR:${part}`),
  );
});

test("every posting is two entries that chain the versions and carry the balance after them", () => {
  const workingSet = createWorkingSet(rows(funds()));
  apply(workingSet, effect({ postings: [move(one, two, 30n), move(two, one, 5n)] }), "journal-a");
  apply(workingSet, effect({ postings: [move(one, two, 1n)] }), "journal-b");
  assert.deepEqual(
    workingSet.rows.accounts.entries.map((entry) => [
      entry.journalId,
      entry.accountId === one ? 1 : 2,
      entry.version,
      entry.amount,
      entry.balanceAfter,
    ]),
    [
      ["journal-a", 1, 8, -30n, 70n],
      ["journal-a", 2, 4, 30n, 80n],
      ["journal-a", 2, 5, -5n, 75n],
      ["journal-a", 1, 9, 5n, 75n],
      ["journal-b", 1, 10, -1n, 74n],
      ["journal-b", 2, 6, 1n, 76n],
    ],
  );
  assert.deepEqual(
    workingSet.rows.accounts
      .moved()
      .map(({ oldVersion, account: { version, balance } }) => [oldVersion, version, balance]),
    [
      [7, 10, 74n],
      [3, 6, 76n],
    ],
  );
});

test("a later command finds what an earlier one left, by number and by id", () => {
  const workingSet = createWorkingSet(rows(funds()));
  apply(workingSet, effect({ postings: [move(one, two, 100n)] }), "a");
  const found = workingSet.lockedRowsFor({ accountNumbers: ["1"], accountIds: [two] });
  assert.equal(found.account("1")?.balance, 0n);
  assert.equal(found.accountById(two)?.balance, 150n);
});

test("a row that was not declared cannot be read, one that does not exist is undefined", () => {
  const found = createWorkingSet(rows(funds())).lockedRowsFor({ accountNumbers: ["1", "9"], accountIds: [three] });
  assert.throws(() => found.account("2"), /account number 2 was not declared/);
  assert.throws(() => found.accountById(one), /was not declared/);
  assert.equal(found.account("9"), undefined);
  assert.equal(found.accountById(three), undefined);
});

test("an opened account is found from then on and can be paid in the same effect", () => {
  const workingSet = createWorkingSet(rows(funds()));
  apply(workingSet, effect({ newAccounts: [account("3")], postings: [move(one, three, 10n)] }), "a");
  assert.equal(workingSet.lockedRowsFor({ accountNumbers: ["3"] }).account("3")?.balance, 10n);
  assert.deepEqual(
    workingSet.rows.accounts.opened.map(({ accountNo, balance, version }) => [accountNo, balance, version]),
    [["3", 0n, 0]],
  );
  assert.deepEqual(
    workingSet.rows.accounts.moved().map(({ account: { accountNo }, oldVersion }) => [accountNo, oldVersion]),
    [
      ["1", 7],
      ["3", 0],
    ],
  );
});

test("daily use is written with the row even where nothing moved", () => {
  const workingSet = createWorkingSet(rows(funds()));
  const use = { day: 20_778, total: minor(5n), count: 1 };
  apply(workingSet, effect({ dailyUses: [{ account: one, use }] }), "a");
  assert.deepEqual(
    workingSet.rows.accounts
      .moved()
      .map(({ oldVersion, account: { version, dailyUse: written } }) => [oldVersion, version, written]),
    [[7, 7, use]],
  );
});

// An effect that cannot be applied as a whole leaves no trace.
const unusable: readonly (readonly [string, Partial<Effect<unknown>>, RegExp])[] = [
  ["a posting of nothing", { postings: [move(one, two, 0n)] }, /no posting/],
  ["a negative posting", { postings: [move(one, two, -5n)] }, /no posting/],
  ["an unknown account", { postings: [move(one, two, 1n), move(two, three, 1n)] }, /did not lock/],
  ["use of an unknown account", { dailyUses: [{ account: three, use: account("3").dailyUse }] }, /did not lock/],
  ["an account opened with money", { newAccounts: [account("3", { balance: minor(1n) })] }, /comes by a posting/],
  ["an overflow", { postings: [move(one, two, 1n), move(two, one, 9_000_000_000_000_000_000n)] }, /range of a row/],
];

for (const [name, parts, message] of unusable) {
  test(`${name} throws and nothing of the effect is applied`, () => {
    const workingSet = createWorkingSet(rows(funds()));
    assert.throws(() => apply(workingSet, effect({ ...parts }), "a"), message);
    assert.equal(
      workingSet.rows.accounts.entries.length +
        workingSet.rows.accounts.opened.length +
        workingSet.rows.accounts.moved().length,
      0,
    );
    assert.equal(workingSet.lockedRowsFor({ accountNumbers: ["1"] }).account("1")?.balance, 100n);
  });
}
