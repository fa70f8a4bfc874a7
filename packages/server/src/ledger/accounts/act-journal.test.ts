import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { maxMinor, minor, zero } from "../money.ts";
import type { Account } from "./account.ts";
import { type ActJournalKind, type ActJournalOrder, decideActJournal, faultOf, pairLines } from "./act-journal.ts";
import { newAccount, newInternalAccount } from "./internal-accounts.ts";

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
const own = (purpose: "clearing" | "unclaimed" | "restored", balance: bigint): Account => ({
  ...(purpose === "clearing"
    ? newInternalAccount("o", purpose, "IDR", "skn")
    : newInternalAccount("o", purpose, "IDR")),
  balance: minor(balance),
});

const lines = (...given: readonly (readonly [string, bigint])[]) =>
  given.map(([accountNo, amount]) => ({ accountNo, amount: minor(amount) }));
const order = (kind: ActJournalKind, ...given: readonly (readonly [string, bigint])[]): ActJournalOrder => ({
  actId: "act",
  kind,
  currency: "IDR",
  lines: lines(...given),
  fundingId: "f",
});
const fund = order("funding", ["1001", 50n], ["funding:IDR", -50n]);
const withdraw = order("withdrawal", ["1001", -50n], ["funding:IDR", 50n]);
const correct = order("correction", ["1001", -50n], ["1002", 50n]);

function decide(given: ActJournalOrder, accounts: readonly Account[], earlier?: "same" | "other") {
  return decideActJournal(given, (no) => accounts.find(({ accountNo }) => accountNo === no), earlier);
}
function effectOf(decision: ReturnType<typeof decideActJournal>) {
  return decision.kind === "effect" ? decision.effect : assert.fail(JSON.stringify(decision));
}
const outcome = (decision: ReturnType<typeof decideActJournal>) =>
  decision.kind === "rejection" ? `${decision.rejection.kind} ${decision.rejection.field}` : decision.kind;

test("money comes from the funding account and goes back there, by its act", () => {
  const rich = { ...account, balance: minor(50n) };
  assert.deepEqual(effectOf(decide(fund, [account, funding])), {
    newAccounts: [],
    postings: [{ kind: "funding", from: "f0", to: "a", amount: 50n }],
    act: { id: "act" },
  });
  assert.deepEqual(effectOf(decide(withdraw, [rich, funding])).postings, [
    { kind: "withdrawal", from: "a", to: "f0", amount: 50n },
  ]);
});

test("the first money of a currency brings its funding account along, and no other account is opened so", () => {
  const { newAccounts, postings } = effectOf(decide(fund, [account]));
  assert.deepEqual(
    newAccounts.map(({ id, accountNo }) => [id, accountNo]),
    [["f", "funding:IDR"]],
  );
  assert.equal(postings[0]?.from, "f");
  const toNobody = order("correction", ["1001", -50n], ["unclaimed:IDR", 50n]);
  assert.equal(outcome(decide(toNobody, [{ ...account, balance: minor(50n) }])), "unknownAccount unclaimed:IDR");
});

const rich = { ...account, balance: minor(50n) };
const poor = { ...account, balance: minor(49n) };
const [closed, blocked, dormant] = [
  { ...rich, status: "closed" },
  { ...rich, status: "blocked" },
  { ...rich, status: "dormant" },
] as const;
const is = (name: string, got: ReturnType<typeof decide>, expected: string) =>
  assert.equal(outcome(got), expected, name);

test("what stands in the way of funding and withdrawals", () => {
  const full = { ...account, balance: minor(maxMinor - 49n) };
  const drained = { ...funding, balance: minor(-maxMinor + 49n) };

  is("the same reference again is done already", decide(fund, [closed, funding], "same"), "nothing");
  is("the same reference for something else", decide(fund, [account, funding], "other"), "referenceUsed reference");
  is("no account", decide(fund, [funding]), "unknownAccount 1001");
  is("another currency", decide(fund, [{ ...account, currency: "USD" }, funding]), "currencyMismatch 1001");
  is("a closed account", decide(fund, [closed, funding]), "accountClosed 1001");
  is("an account that has moved", decide(fund, [{ ...account, status: "moved" }, funding]), "accountMoved 1001");
  is("a blocked account is funded", decide(fund, [blocked, funding]), "effect");
  is("a dormant account is funded", decide(fund, [dormant, funding]), "effect");
  is("more than the account may hold", decide(fund, [full, funding]), "overTransactionLimit 1001");
  is("more than all may hold together", decide(fund, [account, drained]), "overTransactionLimit funding:IDR");

  is("more than is available", decide(withdraw, [poor, funding]), "insufficientFunds 1001");
  is("what is held", decide(withdraw, [{ ...rich, held: minor(1n) }, funding]), "insufficientFunds 1001");
  is("the minimum", decide(withdraw, [{ ...rich, minimumBalance: minor(1n) }, funding]), "insufficientFunds 1001");
  is("from a closed account", decide(withdraw, [closed, funding]), "accountClosed 1001");
  is("from a blocked account", decide(withdraw, [blocked, funding]), "accountInactive 1001");
  is("from a dormant account", decide(withdraw, [dormant, funding]), "accountDormant 1001");
});

test("what stands in the way of a correction", () => {
  const other = { ...account, id: "b", accountNo: "1002" };
  const suspense = { ...newInternalAccount("s", "suspense", "IDR", "skn", 0), balance: minor(50n) };
  is("a correction", decide(correct, [rich, other]), "effect");
  is("a correction of a blocked account", decide(correct, [blocked, other]), "effect");
  is("a correction of a closed account", decide(correct, [closed, other]), "accountClosed 1001");
  is("a correction below zero", decide(correct, [poor, other]), "insufficientFunds 1001");
  const ofOpen = order("correction", [suspense.accountNo, -50n], ["1001", 50n]);
  is("money of open transfers", decide(ofOpen, [suspense, account]), `accountNotPermitted ${suspense.accountNo}`);
});

test("a move takes what is on an account, up to zero, in both directions", () => {
  const clearing = own("clearing", 50n);
  const move = (amount: bigint, found: Account) =>
    outcome(decide(order("move", [found.accountNo, amount], ["funding:IDR", -amount]), [found, funding]));
  assert.equal(move(-50n, clearing), "effect");
  assert.equal(move(-51n, clearing), "insufficientFunds clearing:skn:IDR");
  assert.equal(move(1n, clearing), "insufficientFunds clearing:skn:IDR");
  assert.equal(move(50n, own("restored", -50n)), "effect");
  assert.equal(move(51n, own("restored", -50n)), "insufficientFunds restored:IDR");
  assert.equal(move(-1n, own("restored", -50n)), "insufficientFunds restored:IDR");
  assert.equal(move(-1n, own("unclaimed", 0n)), "insufficientFunds unclaimed:IDR");
  assert.equal(move(-1n, { ...account, balance: minor(5n) }), "accountNotPermitted 1001");
});

test("lines that are no journal of their kind", () => {
  const faults = [
    ["correction", "1001 5, 1002 -4", "add up"],
    ["correction", "1001 5, 1001 -5", "named once"],
    ["correction", "1001 0, 1002 0", "more than zero"],
    ["correction", "", "2 to 10"],
    ["correction", "1 1, 2 1, 3 1, 4 1, 5 1, 6 1, 7 1, 8 1, 9 1, 10 1, 11 -10", "2 to 10"],
    ["withdrawal", "1001 -5, 1002 5", "funding account"],
    ["funding", "1001 -5, funding:IDR 5", "funding account"],
    ["funding", "1001 5, 1002 5, funding:IDR -10", "one credited"],
    ["move", "clearing:skn:IDR -5, fee:skn:IDR 5", "a pair"],
    ["move", "suspense:skn:IDR:00 -5, funding:IDR 5", "a pair"],
    ["move", "fee:skn:IDR 5, funding:IDR -5", "a pair"],
  ] as const;
  for (const [kind, text, expected] of faults) {
    const given = text.split(", ").map((line) => line.split(" "));
    const read = given.flatMap(([no, amount]) => (no && amount ? [[no, BigInt(amount)] as const] : []));
    assert.match(faultOf(order(kind, ...read)) ?? "none", new RegExp(expected), `${kind} ${text}`);
  }
  for (const right of [fund, withdraw, correct, order("move", ["restored:IDR", 5n], ["funding:IDR", -5n])])
    assert.equal(faultOf(right), undefined);
});

test("lines are paired alike in any order, and each account gets its amount", () => {
  const amounts = fc.uniqueArray(fc.tuple(fc.stringMatching(/^[0-9]{1,4}$/), fc.bigInt(-99n, 99n)), {
    selector: ([accountNo]) => accountNo,
    minLength: 1,
    maxLength: 9,
  });
  fc.assert(
    fc.property(amounts, (some) => {
      const rest = some.reduce((sum, [, amount]) => sum - amount, 0n);
      const given = lines(...some, ["rest", rest]).filter(({ amount }) => amount !== 0n);
      const pairs = pairLines(given);
      assert.deepEqual(pairLines(given.toReversed()), pairs);
      for (const { accountNo, amount } of given) {
        const moved = pairs.map(({ from, to, amount: part }) =>
          to === accountNo ? part : from === accountNo ? -part : 0n,
        );
        assert.equal(
          moved.reduce((sum, part) => sum + part, 0n),
          amount,
        );
      }
    }),
  );
});
