// Accounts that calls of other cells want are read by few statements, and each call hears what became of its own.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Account } from "../../ledger/accounts/account.ts";
import type { PartnerShares } from "../partner-shares.ts";
import { createAccountLooks } from "./account-looks.ts";

const share: Pick<PartnerShares, "run"> = { run: (_, work) => work() };

/** Accounts of every number, and the numbers of each statement; `wait`: awaited by each. */
function looksWith(wait: () => Promise<unknown>, readShares = share) {
  const statements: (readonly string[])[] = [];
  const findAccountsByNumber = async (accountNos: readonly string[]) => {
    statements.push(accountNos);
    await wait();
    return new Map(accountNos.map((accountNo) => [accountNo, { accountNo } as Account]));
  };
  return { looks: createAccountLooks({ reads: { findAccountsByNumber }, readShares }), statements };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

test("calls of one turn share a statement, and those that come while it is under way the next one", async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const { looks, statements } = looksWith(() => held);
  const want = (...numbers: readonly string[]) => numbers.map((number) => looks.find("a", [number, "shared"]));
  const asked = [...want("1", "2")];
  await nextTurn();
  asked.push(...want("3"));
  await nextTurn();
  asked.push(...want("4"));
  release();
  const found = await Promise.all(asked);
  assert.deepEqual(statements, [
    ["1", "shared", "2"],
    ["3", "shared", "4"],
  ]);
  assert.deepEqual(
    found.map((accounts, at) => accounts?.get(String(at + 1))?.accountNo),
    ["1", "2", "3", "4"],
  );
});

test("a call hears nothing from a cell that fails, or cannot read now, and the next one is read", async () => {
  let fails = true;
  const { looks } = looksWith(async () => {
    if (fails) throw new Error("the database is away");
  });
  assert.equal(await looks.find("a", ["1"]), undefined);
  fails = false;
  assert.ok((await looks.find("a", ["1"]))?.has("1"));
  const { looks: turnedAway } = looksWith(async () => undefined, { run: async () => undefined });
  assert.equal(await turnedAway.find("a", ["1"]), undefined);
});

test("an account that its call has given up is not read, and the next one is", async ({ mock }) => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const { looks, statements } = looksWith(() => held);
  const first = looks.find("a", ["1"]);
  await nextTurn();
  const late = [first, looks.find("a", ["2"])];
  mock.timers.tick(1_000);
  assert.deepEqual(await Promise.all(late), [undefined, undefined]);
  const next = looks.find("a", ["3"]);
  release();
  assert.ok((await next)?.has("3"));
  assert.deepEqual(statements, [["1"], ["3"]]);
});

test("a partner whose calls are too many waits alone", async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const { looks, statements } = looksWith(() => held);
  const many = Array.from({ length: 1_025 }, (_, at) => looks.find("busy", [String(at)]));
  assert.equal(await many[1_024], undefined);
  const other = looks.find("quiet", ["other"]);
  release();
  assert.ok((await other)?.has("other"));
  assert.ok(statements[0]?.includes("other"), "its turn came behind all of the busy one's");
  assert.equal((await Promise.all(many.slice(0, 1_024))).filter(Boolean).length, 1_024);
});
