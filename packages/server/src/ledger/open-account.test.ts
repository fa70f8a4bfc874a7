import assert from "node:assert/strict";
import { test } from "node:test";
import { maxMinor, minor, zero } from "./money.ts";
import { decideOpening, type OpeningOrder } from "./open-account.ts";
import { newOwnAccount } from "./own-accounts.ts";

const order: OpeningOrder = {
  id: "a",
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
const funding = newOwnAccount("f0", "funding", "IDR");

function opened(decision: ReturnType<typeof decideOpening>) {
  assert.equal(decision.kind, "effect");
  return decision.kind === "effect" ? decision.effect : assert.fail();
}

test("an account opens with nothing on it, and its opening balance comes from the funding account", () => {
  const { opens, movements } = opened(decideOpening(order, undefined, funding));
  assert.deepEqual(
    opens.map(({ id, purpose, floor, balance, version, partners }) => ({
      id,
      purpose,
      floor,
      balance,
      version,
      partners,
    })),
    [{ id: "a", purpose: "customer", floor: zero, balance: zero, version: 0, partners: ["p"] }],
  );
  assert.deepEqual(movements, [{ kind: "funding", from: "f0", to: "a", amount: 50_000n }]);
});

test("the first account of a currency brings its funding account along", () => {
  const { opens, movements } = opened(decideOpening(order, undefined, undefined));
  assert.deepEqual(
    opens.map(({ id, accountNo, floor }) => [id, accountNo, floor]),
    [
      ["a", "1001", 0n],
      ["f", "funding:IDR", undefined],
    ],
  );
  assert.equal(movements[0]?.from, "f");
});

test("without an opening balance no money moves and no funding account is needed", () => {
  const { opens, movements } = opened(decideOpening({ ...order, balance: zero }, undefined, undefined));
  assert.equal(opens.length, 1);
  assert.deepEqual(movements, []);
});

test("what stands in the way of an opening", () => {
  const { opens } = opened(decideOpening(order, undefined, funding));
  const [existing] = opens;
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
    assert.equal(decision.kind === "refusal" ? decision.refusal.kind : decision.kind, expected, name);
  }
});
