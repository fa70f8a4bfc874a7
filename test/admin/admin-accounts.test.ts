import assert from "node:assert/strict";
import { test } from "node:test";
import { changeAccount } from "../../packages/server/src/admin/accounts/change-account.ts";
import { fundAccount } from "../../packages/server/src/admin/accounts/move-money.ts";
import { type NewAccount, openAccount } from "../../packages/server/src/admin/accounts/open-account.ts";
import { newId } from "../../packages/server/src/basics/ids.ts";
import { maxMinor, minor, zero } from "../../packages/server/src/ledger/money.ts";
import { rejectionOf, valueOf } from "../support/expect.ts";
import { useTwoNodes } from "../support/two-nodes.ts";

const { node, other } = await useTwoNodes();

const account: NewAccount = { name: "Siti Rahayu", currency: "IDR", type: "S", balance: minor(500_000n) };

async function numbers(text: string): Promise<readonly string[]> {
  const { rows } = await node.reads.query<string[]>({ text, rowMode: "array" });
  return rows.flat();
}

test("the opening balance comes from the funding account, in the commit that opens both", async () => {
  const opened = valueOf(await openAccount(node, { ...account, currency: "SGD", balance: minor(700n) }));
  assert.match(opened.accountNo, /^\d{12}$/);
  assert.deepEqual([opened.balance, opened.held, opened.minimumBalance, opened.version], [700n, 0n, 0n, 1]);
  const entries = await numbers(
    `select concat_ws(' ', account_no, amount, balance_after) from entries join accounts on id = account_id
     where entries.currency = 'SGD' order by account_no`,
  );
  assert.deepEqual(entries, [`${opened.accountNo} 700 700`, "funding:SGD -700 -700"]);
});

test("an opening repeated with its id is done already, also when the number was made", async () => {
  const id = newId();
  const first = valueOf(await openAccount(node, { ...account, id }));
  const again = valueOf(await openAccount(other, { ...account, id }));
  assert.equal(again.accountNo, first.accountNo);
  assert.equal(again.version, 1, "the opening balance came twice");
  const numbered = valueOf(await openAccount(node, { ...account, accountNo: "7001" }));
  assert.equal(numbered.accountNo, "7001");
  assert.equal(rejectionOf(await openAccount(node, { ...account, accountNo: "7001" })), "accountExists accountNo");
  assert.equal(rejectionOf(await openAccount(node, { ...account, id, accountNo: "7002" })), "accountExists accountNo");
});

test("two nodes opening accounts of a new currency at once share one funding account", async () => {
  const all = await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      openAccount(index % 2 === 0 ? node : other, { ...account, currency: "JPY", balance: minor(100n) }),
    ),
  );
  assert.equal(new Set(all.map((result) => valueOf(result).accountNo)).size, 40);
  const funding = await numbers("select balance from accounts where purpose = 'funding' and currency = 'JPY'");
  assert.deepEqual(funding, ["-4000"]);
});

test("two nodes opening one number at once: one opens it, the other is rejected", async () => {
  const results = await Promise.all([
    openAccount(node, { ...account, accountNo: "7100" }),
    openAccount(other, { ...account, accountNo: "7100" }),
  ]);
  assert.equal(results.filter((result) => result.ok).length, 1);
});

async function openEmpty(): Promise<string> {
  return valueOf(await openAccount(node, { ...account, balance: zero })).accountNo;
}

test("an account is funded once for each reference, also at once with itself, on one node and two", async () => {
  const accountNo = await openEmpty();
  const fund = (index: number) =>
    fundAccount(index % 3 === 0 ? other : node, {
      accountNo,
      currency: "IDR",
      amount: minor(1_000n),
      reference: `salary-${index % 4}`,
    });
  for (const result of await Promise.all(Array.from({ length: 40 }, (_, index) => fund(index)))) valueOf(result);
  const again = valueOf(await fund(0));
  assert.deepEqual([again.balance, again.version], [4_000n, 4]);
  assert.deepEqual(
    await numbers(`select concat_ws(' ', reference, s.reason) from acts join act_steps s on s.act_id = acts.id and step = 'proposed'
      where acts.entries like '%${accountNo} 1000 IDR%' order by reference`),
    [0, 1, 2, 3].map((number) => `salary-${number} funding of ${accountNo}`),
  );
});

test("a reference funds one account with one amount, and what cannot be funded is rejected", async () => {
  const [accountNo, another, closed] = await Promise.all([openEmpty(), openEmpty(), openEmpty()]);
  valueOf(await changeAccount(node, closed, { status: "closed" }));
  const funding = { accountNo, currency: "IDR", amount: minor(700n), reference: "gift" };
  valueOf(await fundAccount(node, funding));
  for (const [change, expected] of [
    [{ amount: minor(701n) }, "referenceUsed reference"],
    [{ accountNo: another }, "referenceUsed reference"],
    [{ accountNo: closed, reference: "to-closed" }, "accountClosed accountNo"],
    [{ accountNo: "0", reference: "to-nobody" }, "unknownAccount accountNo"],
    [{ accountNo: "funding:IDR", reference: "to-itself" }, "unknownAccount accountNo"],
    [{ currency: "JPY", reference: "in-yen" }, "invalidField currency"],
    [{ amount: zero }, "invalidField amount"],
    [{ amount: minor(-1n) }, "invalidField amount"],
    [{ amount: maxMinor, reference: "too-much" }, "tooLarge amount"],
    [{ reference: "" }, "invalidField reference"],
    [{ reference: "two words" }, "invalidField reference"],
    [{ reference: "r".repeat(65) }, "invalidField reference"],
  ] as const) {
    assert.equal(
      rejectionOf(await fundAccount(other, { ...funding, ...change })),
      expected,
      JSON.stringify(change, String),
    );
  }
  const untouched = valueOf(await changeAccount(node, another, { status: "active" }));
  assert.deepEqual([untouched.balance, valueOf(await fundAccount(node, funding)).balance], [0n, 700n]);
});

test("invalid accounts are rejected, naming the field", async () => {
  const rows: readonly [Partial<NewAccount>, string][] = [
    [{ accountNo: "" }, "invalidField accountNo"],
    [{ accountNo: "7 001" }, "invalidField accountNo"],
    [{ accountNo: "funding:IDR" }, "invalidField accountNo"],
    [{ accountNo: "7".repeat(35) }, "invalidField accountNo"],
    [{ name: " " }, "invalidField name"],
    [{ name: "\ud800" }, "invalidField name"],
    [{ name: "x".repeat(101) }, "invalidField name"],
    [{ currency: "XAU" }, "invalidField currency"],
    [{ balance: minor(-1n) }, "invalidField balance"],
    [{ balance: minor(maxMinor + 1n) }, "invalidField balance"],
    [{ status: "closed" }, "accountInUse balance"],
  ];
  for (const [terms, expected] of rows) {
    assert.equal(rejectionOf(await openAccount(node, { ...account, ...terms })), expected);
  }
});

test("all accounts of a currency together hold no more than a row can count", async () => {
  valueOf(await openAccount(node, { ...account, currency: "USD", balance: maxMinor }));
  const more = { ...account, currency: "USD", balance: minor(1n) };
  assert.equal(rejectionOf(await openAccount(node, more)), "tooLarge balance");
  valueOf(await openAccount(node, { ...more, balance: zero }));
});

test("status, name, limits and partners change, and nothing else does", async () => {
  const { accountNo, id } = valueOf(await openAccount(node, account));
  const partner = newId();
  const change = {
    status: "dormant",
    name: "Siti R.",
    limits: { perTransaction: minor(10n) },
    addPartners: [partner],
  } as const;
  const changed = valueOf(await changeAccount(node, accountNo, change));
  assert.deepEqual(
    [changed.id, changed.status, changed.name, changed.limits, changed.partners, changed.balance, changed.version],
    [id, "dormant", "Siti R.", { perTransaction: 10n }, [partner], 500_000n, 1],
  );
  assert.deepEqual(valueOf(await changeAccount(other, accountNo, change)), changed, "repeating changed something");
  assert.equal(rejectionOf(await changeAccount(node, accountNo, { status: "closed" })), "accountInUse status");
  assert.equal(rejectionOf(await changeAccount(node, "0", { status: "closed" })), "unknownAccount accountNo");
  assert.equal(
    rejectionOf(await changeAccount(node, "funding:IDR", { status: "blocked" })),
    "unknownAccount accountNo",
  );
});

test("a closed account stays closed", async () => {
  const { accountNo } = valueOf(await openAccount(node, { ...account, balance: zero }));
  assert.equal(valueOf(await changeAccount(node, accountNo, { status: "closed" })).status, "closed");
  assert.equal(valueOf(await changeAccount(node, accountNo, { status: "closed" })).status, "closed");
  assert.equal(rejectionOf(await changeAccount(node, accountNo, { status: "active" })), "accountClosed accountNo");
});
