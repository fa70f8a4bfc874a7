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

test("a call hears that the cell fails, or cannot read now, and the next one is read", async () => {
  let fails = true;
  const { looks } = looksWith(async () => {
    if (fails) throw new Error("the database is away");
  });
  await assert.rejects(looks.find("a", ["1"]), /is away/);
  fails = false;
  assert.ok((await looks.find("a", ["1"]))?.has("1"));
  const { looks: turnedAway } = looksWith(async () => undefined, { run: async () => undefined });
  assert.equal(await turnedAway.find("a", ["1"]), undefined);
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
