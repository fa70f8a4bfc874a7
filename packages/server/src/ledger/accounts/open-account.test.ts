import assert from "node:assert/strict";
import { test } from "node:test";
import { maxMinor, minor, zero } from "../money.ts";
import { decideOpening, type OpeningOrder } from "./open-account.ts";
import { newInternalAccount } from "./internal-accounts.ts";

const order: OpeningOrder = {
  id: "a",
  actId: "act",
  accountNo: "1001",
  name: "Siti Rahayu",
  currency: "IDR",
  type: "S",
  status: "active",
  partners: ["p"],
  limits: {},
  balance: minor(50_000n),
  fundingId: "f",
};
const funding = newInternalAccount("f0", "funding", "IDR");

function opened(decision: ReturnType<typeof decideOpening>) {
  assert.equal(decision.kind, "effect");
  return decision.kind === "effect" ? decision.effect : assert.fail();
}

test("an account opens with nothing on it, and its opening balance comes from the funding account", () => {
  const { newAccounts, postings } = opened(decideOpening(order, undefined, funding));
  assert.deepEqual(
    newAccounts.map(({ id, purpose, minimumBalance, balance, version, partners }) => ({
      id,
      purpose,
      minimumBalance,
      balance,
      version,
      partners,
    })),
    [{ id: "a", purpose: "customer", minimumBalance: zero, balance: zero, version: 0, partners: ["p"] }],
  );
  assert.deepEqual(postings, [{ kind: "funding", from: "f0", to: "a", amount: 50_000n }]);
});

test("the first account of a currency brings its funding account along", () => {
  const { newAccounts, postings } = opened(decideOpening(order, undefined, undefined));
  assert.deepEqual(
    newAccounts.map(({ id, accountNo, minimumBalance }) => [id, accountNo, minimumBalance]),
    [
      ["a", "1001", 0n],
      ["f", "funding:IDR", undefined],
    ],
  );
  assert.equal(postings[0]?.from, "f");
});

test("without an opening balance no money moves and no funding account is needed", () => {
  const { newAccounts, postings } = opened(decideOpening({ ...order, balance: zero }, undefined, undefined));
  assert.equal(newAccounts.length, 1);
  assert.deepEqual(postings, []);
});

test("what stands in the way of an opening", () => {
  const { newAccounts } = opened(decideOpening(order, undefined, funding));
  const [existing] = newAccounts;
  const drained = { ...funding, balance: minor(-maxMinor + 49_999n) };
  const cases = [
    ["the same order again is done already", order, existing, funding, "nothing"],
    ["another order for a number in use", { ...order, id: "b" }, existing, funding, "accountExists"],
    ["the same order under another number", { ...order, accountNo: "1002" }, existing, funding, "accountExists"],
    ["a closed account with money", { ...order, status: "closed" }, undefined, funding, "accountInUse"],
    ["more than all accounts may hold together", order, undefined, drained, "overTransactionLimit"],
  ] as const;
  for (const [name, wanted, found, source, expected] of cases) {
    const decision = decideOpening(wanted, found, source);
    assert.equal(decision.kind === "rejection" ? decision.rejection.kind : decision.kind, expected, name);
  }
});
