import assert from "node:assert/strict";
import { test } from "node:test";
import { maxMinor, minor, zero } from "../money.ts";
import { decideFunding, type FundingOrder } from "./fund-account.ts";
import { newAccount, newInternalAccount } from "./internal-accounts.ts";

const order: FundingOrder = { actId: "act", amount: minor(50_000n), fundingId: "f" };
const funding = newInternalAccount("f0", "funding", "IDR");
const account = newAccount({
  id: "a",
  accountNo: "1001",
  name: "Siti Rahayu",
  currency: "IDR",
  purpose: "customer",
  type: "S",
  status: "active",
  partners: [],
  minimumBalance: zero,
});

function funded(decision: ReturnType<typeof decideFunding>) {
  assert.equal(decision.kind, "effect");
  return decision.kind === "effect" ? decision.effect : assert.fail();
}

test("money comes from the funding account, by its act", () => {
  assert.deepEqual(funded(decideFunding(order, account, funding, undefined)), {
    newAccounts: [],
    postings: [{ kind: "funding", from: "f0", to: "a", amount: 50_000n }],
    act: { id: "act" },
  });
});

test("the first money of a currency brings its funding account along", () => {
  const { newAccounts, postings } = funded(decideFunding(order, account, undefined, undefined));
  assert.deepEqual(
    newAccounts.map(({ id, accountNo }) => [id, accountNo]),
    [["f", "funding:IDR"]],
  );
  assert.equal(postings[0]?.from, "f");
});

test("what stands in the way of funding", () => {
  const full = { ...account, balance: minor(maxMinor - 49_999n) };
  const drained = { ...funding, balance: minor(-maxMinor + 49_999n) };
  const cases = [
    ["the same reference again is done already", account, funding, "same", "nothing"],
    ["also where the account was closed since", { ...account, status: "closed" }, funding, "same", "nothing"],
    ["the same reference for something else", account, funding, "other", "referenceUsed"],
    ["no account", undefined, funding, undefined, "unknownAccount"],
    ["an account of our own", newInternalAccount("u", "unclaimed", "IDR"), funding, undefined, "unknownAccount"],
    ["a closed account", { ...account, status: "closed" }, funding, undefined, "accountClosed"],
    ["more than the account may hold", full, funding, undefined, "overTransactionLimit"],
    ["more than all accounts may hold together", account, drained, undefined, "overTransactionLimit"],
  ] as const;
  for (const [name, found, source, earlier, expected] of cases) {
    const decision = decideFunding(order, found, source, earlier);
    assert.equal(decision.kind === "rejection" ? decision.rejection.kind : decision.kind, expected, name);
  }
});

test("a blocked or dormant account can be funded, as it can be opened with money", () => {
  for (const status of ["blocked", "dormant"] as const) {
    assert.equal(decideFunding(order, { ...account, status }, funding, undefined).kind, "effect");
  }
});
