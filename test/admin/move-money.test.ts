// Withdrawals, corrections and moves, as their acts carry them out: once for each reference, and never below what is available.
import assert from "node:assert/strict";
import { test } from "node:test";
import { changeAccount } from "../../packages/server/src/admin/accounts/change-account.ts";
import {
  type AccountAmount,
  correctAccounts,
  type Correction,
  fundAccount,
  type Move,
  moveLedger,
  withdrawFromAccount,
} from "../../packages/server/src/admin/accounts/move-money.ts";
import { openAccount } from "../../packages/server/src/admin/accounts/open-account.ts";
import { runAudit } from "../../packages/server/src/admin/audit/audit.ts";
import { minor, zero } from "../../packages/server/src/ledger/money.ts";
import { onboardPartner } from "../../packages/server/src/admin/partners/partners.ts";
import { pay } from "../support/audit-fixture.ts";
import { newPartner } from "../support/partners.ts";
import { runStatements } from "../support/database/with-client.ts";
import { rejectionOf, valueOf } from "../support/expect.ts";
import { useTwoNodes } from "../support/two-nodes.ts";

const { node, other, ownerUrl } = await useTwoNodes();
const { key, partnerId } = valueOf(await onboardPartner(node, newPartner()));
const partner = node.reference.byPartnerId(partnerId) ?? assert.fail();

const numbers = async (text: string) =>
  (await node.reads.query<string[]>({ text, rowMode: "array" })).rows.flat().map(String);
const balanceOf = async (accountNo: string) =>
  (await numbers(`select balance from accounts where account_no = '${accountNo}'`))[0];
const open = async (balance: bigint, currency = "IDR") =>
  valueOf(await openAccount(node, { name: "Siti", currency, type: "S", balance: minor(balance), partners: [key] }))
    .accountNo;

test("40 withdrawals of the same 4 references at once on two nodes take money 4 times", async () => {
  const accountNo = await open(4_000n);
  const withdraw = (index: number) =>
    withdrawFromAccount(index % 3 === 0 ? other : node, {
      accountNo,
      currency: "IDR",
      amount: minor(1_000n),
      reference: `counter-${index % 4}`,
    });
  for (const result of await Promise.all(Array.from({ length: 40 }, (_, index) => withdraw(index)))) valueOf(result);
  const again = valueOf(await withdraw(0));
  assert.deepEqual([again.balance, again.version], [0n, 5]);
});

test("a withdrawal and payments that race for the last rupiah: one of them gets it", async () => {
  const [to, ...payers] = await Promise.all([open(0n), ...Array.from({ length: 10 }, () => open(100n))]);
  const outcomes = await Promise.all(
    payers.map(async (from, index) => {
      const take = { accountNo: from, currency: "IDR", amount: minor(100n), reference: `race-${index}` };
      const [taken, paid] = await Promise.all([
        withdrawFromAccount(other, take),
        pay(node, partner, { from, to, value: "1.00" }),
      ]);
      assert.equal(await balanceOf(from), "0");
      if (!taken.ok) assert.equal(rejectionOf(taken), "overAvailable amount");
      return [taken.ok, paid === "success"];
    }),
  );
  for (const [taken, paid] of outcomes) assert.notEqual(taken, paid);
});

test("what cannot be withdrawn is rejected before anything is proposed", async () => {
  const [accountNo, another, blocked, dormant, closed] = await Promise.all([
    open(500n),
    open(500n),
    open(500n),
    open(500n),
    open(0n),
  ]);
  valueOf(await changeAccount(node, blocked, { status: "blocked" }));
  valueOf(await changeAccount(node, dormant, { status: "dormant" }));
  valueOf(await changeAccount(node, closed, { status: "closed" }));
  const take = { accountNo, currency: "IDR", amount: minor(300n), reference: "taken" };
  valueOf(await withdrawFromAccount(node, take));
  const acts = await numbers("select count(*) from act_steps");
  const rows: readonly (readonly [Partial<AccountAmount>, string])[] = [
    [{ amount: minor(301n) }, "referenceUsed reference"],
    [{ accountNo: another }, "referenceUsed reference"],
    [{ amount: minor(201n), reference: "more" }, "overAvailable amount"],
    [{ accountNo: blocked, reference: "blocked" }, "accountInactive accountNo"],
    [{ accountNo: dormant, reference: "dormant" }, "accountDormant accountNo"],
    [{ accountNo: closed, reference: "closed" }, "accountClosed accountNo"],
    [{ accountNo: "0", reference: "nobody" }, "unknownAccount accountNo"],
    [{ accountNo: "funding:IDR", reference: "itself" }, "unknownAccount accountNo"],
    [{ currency: "JPY", reference: "yen" }, "invalidField currency"],
    [{ amount: zero, reference: "nothing" }, "invalidField amount"],
    [{ reference: "two words" }, "invalidField reference"],
  ];
  for (const [change, expected] of rows)
    assert.equal(rejectionOf(await withdrawFromAccount(other, { ...take, ...change })), expected, expected);
  const short = await withdrawFromAccount(node, { ...take, amount: minor(201n), reference: "more" });
  assert.match(
    short.ok ? "" : short.rejection.message,
    /^It has IDR 2\.00 available now, which is less than IDR 2\.01\.$/,
  );
  assert.deepEqual(await numbers("select count(*) from act_steps"), acts);
});

test("a correction debits and credits several accounts by one journal", async () => {
  const [one, two, three] = await Promise.all([open(500n), open(0n), open(100n)]);
  const correction: Correction = {
    currency: "IDR",
    reference: "twice",
    entries: [
      { accountNo: one, direction: "debit", amount: minor(300n) },
      { accountNo: two, direction: "credit", amount: minor(320n) },
      { accountNo: three, direction: "debit", amount: minor(20n) },
    ],
  };
  for (const at of [node, other]) valueOf(await correctAccounts(at, correction));
  assert.deepEqual(await Promise.all([one, two, three].map(balanceOf)), ["200", "320", "80"]);
  const change = (changes: Partial<Correction["entries"][number]>, reference = "other") =>
    correctAccounts(node, {
      ...correction,
      reference,
      entries: correction.entries.map((entry, at) => (at === 0 ? { ...entry, ...changes } : entry)),
    });
  assert.equal(rejectionOf(await change({ amount: minor(301n) })), "invalidField entries");
  assert.equal(rejectionOf(await change({ accountNo: two })), "invalidField entries");
  assert.equal(rejectionOf(await change({ accountNo: "0" })), "unknownAccount entries");
  assert.equal(rejectionOf(await change({})), "overAvailable entries");
  assert.equal(rejectionOf(await change({ accountNo: await open(900n) }, "twice")), "referenceUsed reference");
  const dollars = await open(300n, "USD");
  assert.equal(rejectionOf(await change({ accountNo: dollars })), "invalidField entries");
});

test("money is moved between our own accounts, up to what is on them, and what it is not is rejected", async () => {
  const payer = await open(1_000n);
  await runStatements(
    ownerUrl,
    ["clearing:skn:IDR", "suspense:skn:IDR:00", "unclaimed:IDR"].map(
      (accountNo) => `insert into accounts (id, account_no, name, currency, purpose, type, status, opened_at)
        values (gen_random_uuid(), '${accountNo}', '${accountNo}', 'IDR', split_part('${accountNo}', ':', 1), 'D', 'active', now())`,
    ),
  );
  const correct = (accountNo: string, amount: bigint) =>
    correctAccounts(node, {
      currency: "IDR",
      reference: `for-${accountNo}`,
      entries: [
        { accountNo: payer, direction: "debit", amount: minor(amount) },
        { accountNo, direction: "credit", amount: minor(amount) },
      ],
    });
  valueOf(await correct("clearing:skn:IDR", 400n));
  valueOf(await correct("unclaimed:IDR", 100n));
  assert.equal(rejectionOf(await correct("suspense:skn:IDR:00", 1n)), "accountNotPermitted entries");
  const move = (change: Partial<Move>) =>
    moveLedger(other, {
      pair: "clearing",
      rail: "skn",
      currency: "IDR",
      amount: minor(400n),
      reference: "today",
      ...change,
    });
  assert.equal(rejectionOf(await move({ amount: minor(401n) })), "overAvailable amount");
  assert.equal(rejectionOf(await move({ rail: undefined })), "invalidField rail");
  assert.equal(rejectionOf(await move({ pair: "unapplied" })), "invalidField rail");
  assert.equal(rejectionOf(await move({ rail: "rtgs" })), "unknownAccount pair");
  assert.equal(rejectionOf(await move({ amount: zero })), "invalidField amount");
  for (let times = 0; times < 2; times += 1) valueOf(await move({}));
  valueOf(await move({ pair: "unapplied", rail: undefined, amount: minor(100n), reference: "owner" }));
  assert.equal(rejectionOf(await move({ pair: "clearing-back", amount: minor(1n) })), "referenceUsed reference");
  assert.equal(rejectionOf(await move({ pair: "clearing-back", reference: "back" })), "overAvailable amount");
  assert.deepEqual(await Promise.all(["clearing:skn:IDR", "unclaimed:IDR"].map(balanceOf)), ["0", "0"]);
  valueOf(await fundAccount(node, { accountNo: payer, currency: "IDR", amount: minor(1n), reference: "last" }));
  assert.deepEqual(await numbers("select sum(balance) from accounts group by currency"), ["0", "0"]);
  assert.deepEqual(await runAudit(node.url), { ok: true, findings: [] });
});
