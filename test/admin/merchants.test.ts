/** Changes of merchants by operators after they were registered, on a real database. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { changeAccount } from "../../packages/server/src/admin/accounts/change-account.ts";
import { openAccount } from "../../packages/server/src/admin/accounts/open-account.ts";
import {
  changeMerchant,
  type MerchantChange,
  registerMerchant,
  setMerchantStatus,
} from "../../packages/server/src/admin/merchants/merchants.ts";
import { onboardPartner, setPartnerStatus } from "../../packages/server/src/admin/partners/partners.ts";
import { merchantKeyOf } from "../../packages/server/src/ledger/reference/reference-data.ts";
import { minor, zero } from "../../packages/server/src/ledger/money.ts";
import { eventually } from "../support/black-box/answers.ts";
import { runStatements } from "../support/database/with-client.ts";
import { rejectionOf, valueOf } from "../support/expect.ts";
import { newPartner } from "../support/partners.ts";
import { useTwoNodes } from "../support/two-nodes.ts";

const { node, other, ownerUrl } = await useTwoNodes();

function openNew(currency = "IDR") {
  return openAccount(node, { name: "Warung Bu Tini", currency, type: "D", balance: zero }).then((opened) =>
    valueOf(opened),
  );
}

/** A merchant with every term said, of a partner of its own. */
async function registerFull() {
  const { partnerId, key: partner } = valueOf(await onboardPartner(node, newPartner()));
  const [settlement, payer] = [await openNew(), await openNew()];
  const row = valueOf(
    await registerMerchant(node, {
      partnerId,
      merchantId: "M-1",
      name: "Warung",
      settlementAccountNo: settlement.accountNo,
      payerAccountNo: payer.accountNo,
      defaultHoldAmount: minor(15_000_000n),
      customerTokenRequired: true,
      holdSeconds: 3_600,
    }),
  );
  const change = (terms: MerchantChange) => changeMerchant(node, partnerId, "M-1", terms);
  const setStatus = (status: "active" | "suspended") =>
    setMerchantStatus(node, { partnerId, merchantId: "M-1", status });
  const termsOn = (where: typeof node) => where.reference.current().merchants.get(merchantKeyOf(partner, "M-1"));
  return { partnerId, partner, settlement, payer, row, change, setStatus, termsOn };
}

test("what is given of a merchant changes, the rest stays, and every node works by it within 2 s", async () => {
  const { change, setStatus, row, termsOn, settlement, payer } = await registerFull();
  const before = {
    key: row.key,
    partner: row.partner,
    merchantId: "M-1",
    status: "active",
    settlementAccount: settlement.id,
    currency: "IDR",
    payerAccount: payer.id,
    defaultHoldAmount: 15_000_000n,
    customerTokenRequired: true,
    holdMs: 3_600_000,
    refundMs: 365 * 86_400_000,
  };
  assert.deepEqual(termsOn(node), before);
  const next = await openNew();
  const steps: readonly (readonly [MerchantChange, object])[] = [
    [{ settlementAccountNo: next.accountNo }, { settlementAccount: next.id }],
    [{ payerAccountNo: settlement.accountNo }, { payerAccount: settlement.id }],
    [{ defaultHoldAmount: minor(1n) }, { defaultHoldAmount: 1n }],
    [{ customerTokenRequired: false }, { customerTokenRequired: false }],
    [{ holdSeconds: 7_776_000 }, { holdMs: 7_776_000_000 }],
    [{ refundDays: 1_825 }, { refundMs: 1_825 * 86_400_000 }],
  ];
  let expected: object = { ...before, status: "suspended" };
  valueOf(await setStatus("suspended"));
  for (const [terms, changed] of steps) {
    expected = { ...expected, ...changed };
    valueOf(await change(terms));
    assert.deepEqual(termsOn(node), expected);
  }
  assert.equal(valueOf(await change({ name: "Warung Baru" })).name, "Warung Baru");
  assert.deepEqual(await eventually(() => termsOn(other)?.holdMs === 7_776_000_000 && termsOn(other)), expected);
});

test("the payer account and the default hold amount can be removed, and a repeat changes nothing", async () => {
  const { change, termsOn } = await registerFull();
  const first = valueOf(await change({ payerAccountNo: null, defaultHoldAmount: null }));
  assert.deepEqual(
    [first.payerAccount, first.settings],
    [undefined, { customerTokenRequired: true, holdSeconds: 3_600 }],
  );
  assert.ok(!("payerAccount" in (termsOn(node) ?? {})) && !("defaultHoldAmount" in (termsOn(node) ?? {})));
  assert.deepEqual(valueOf(await change({ payerAccountNo: null, defaultHoldAmount: null })), first);
  assert.deepEqual(valueOf(await change({})), first);
});

test("two changes at once both take effect", async () => {
  const { change, termsOn } = await registerFull();
  const results = await Promise.all([change({ holdSeconds: 60 }), change({ customerTokenRequired: false })]);
  for (const result of results) valueOf(result);
  assert.deepEqual([termsOn(node)?.holdMs, termsOn(node)?.customerTokenRequired], [60_000, false]);
});

test("an impossible change of a merchant is rejected, naming the field, and nothing changes", async () => {
  const { partnerId, row, settlement, payer, change, termsOn } = await registerFull();
  const foreign = await openNew("USD");
  const closed = await openNew();
  valueOf(await changeAccount(node, closed.accountNo, { status: "closed" }));
  const before = termsOn(node);
  const rows: readonly (readonly [MerchantChange, string])[] = [
    [{ name: "two\nlines" }, "invalidField name"],
    [{ settlementAccountNo: "0" }, "unknownAccount settlementAccountNo"],
    [{ settlementAccountNo: closed.accountNo }, "unknownAccount settlementAccountNo"],
    [{ settlementAccountNo: "funding:IDR" }, "unknownAccount settlementAccountNo"],
    [{ payerAccountNo: closed.accountNo }, "unknownAccount payerAccountNo"],
    // The same account on both sides, whichever of them is said: 63 would reject it each time.
    [{ payerAccountNo: settlement.accountNo }, "invalidField payerAccountNo"],
    [{ settlementAccountNo: payer.accountNo }, "invalidField settlementAccountNo"],
    [{ settlementAccountNo: foreign.accountNo, payerAccountNo: foreign.accountNo }, "invalidField payerAccountNo"],
    [{ payerAccountNo: foreign.accountNo }, "invalidField payerAccountNo"],
    [{ settlementAccountNo: foreign.accountNo }, "invalidField payerAccountNo"],
    [{ settlementAccountNo: foreign.accountNo, payerAccountNo: null }, "invalidField defaultHoldAmount"],
    [{ defaultHoldAmount: zero }, "invalidField defaultHoldAmount"],
    [{ holdSeconds: 59 }, "invalidField holdSeconds"],
    [{ refundDays: 29 }, "invalidField refundDays"],
    [{ refundDays: 1_826 }, "invalidField refundDays"],
    [{ refundDays: 30.5 }, "invalidField refundDays"],
    [{ holdSeconds: 7_776_001 }, "invalidField holdSeconds"],
    [{ holdSeconds: Number.NaN }, "invalidField holdSeconds"],
  ];
  for (const [terms, expected] of rows) assert.equal(rejectionOf(await change({ name: "Kiosk", ...terms })), expected);
  assert.deepEqual(termsOn(node), before);

  const elsewhere = { settlementAccountNo: foreign.accountNo, payerAccountNo: null, defaultHoldAmount: minor(5_000n) };
  assert.equal(valueOf(await change(elsewhere)).settlementAccount, foreign.id);
  assert.equal(rejectionOf(await changeMerchant(node, "nobody", "M-1", {})), "unknownPartner partnerId");
  for (const merchantId of ["M-2", "m-1", "", "M-1\u0000"]) {
    assert.equal(rejectionOf(await changeMerchant(node, partnerId, merchantId, {})), "unknownMerchant merchantId");
  }
  const stranger = valueOf(await onboardPartner(node, newPartner()));
  assert.equal(
    rejectionOf(await changeMerchant(node, stranger.partnerId, row.merchantId, {})),
    "unknownMerchant merchantId",
  );
});

test("a merchant whose accounts are closed, or whose partner is suspended, can still be changed", async () => {
  const { partnerId, settlement, payer, change, setStatus } = await registerFull();
  for (const { accountNo } of [settlement, payer]) valueOf(await changeAccount(node, accountNo, { status: "closed" }));
  valueOf(await setPartnerStatus(node, partnerId, "suspended"));
  assert.equal(valueOf(await setStatus("suspended")).merchant.status, "suspended");
  const { accountNo, id } = await openNew();
  const moved = valueOf(await change({ settlementAccountNo: accountNo }));
  assert.deepEqual([moved.settlementAccount, moved.payerAccount], [id, payer.id]);
});

test("no merchant is registered with one account on both sides", async () => {
  const { partnerId, key: partner } = valueOf(await onboardPartner(node, newPartner()));
  const [one, another] = [await openNew(), await openNew()];
  const register = (payerAccountNo: string) =>
    registerMerchant(node, {
      partnerId,
      merchantId: "M-1",
      name: "Warung",
      settlementAccountNo: one.accountNo,
      payerAccountNo,
    });
  assert.equal(rejectionOf(await register(one.accountNo)), "invalidField payerAccountNo");
  assert.equal(node.reference.current().merchants.get(merchantKeyOf(partner, "M-1")), undefined);
  assert.equal(valueOf(await register(another.accountNo)).payerAccount, another.id);
});

test("one that has a single account on both sides since before can be renamed, suspended and corrected", async () => {
  const { row, settlement, payer, change, setStatus, termsOn } = await registerFull();
  await runStatements(ownerUrl, [
    `update merchants set payer_account_id = settlement_account_id where id = '${row.key}'`,
  ]);
  valueOf(await setStatus("suspended"));
  assert.equal(valueOf(await change({ name: "Warung Baru" })).payerAccount, settlement.id);
  assert.equal(rejectionOf(await change({ payerAccountNo: settlement.accountNo })), "invalidField payerAccountNo");
  valueOf(await change({ payerAccountNo: payer.accountNo }));
  assert.deepEqual([termsOn(node)?.settlementAccount, termsOn(node)?.payerAccount], [settlement.id, payer.id]);
});

test("registering a suspended merchant once more leaves it suspended", async () => {
  const { partnerId, key: partner } = valueOf(await onboardPartner(node, newPartner()));
  const { accountNo } = await openNew();
  const input = { partnerId, merchantId: "M-1", name: "Warung", settlementAccountNo: accountNo };
  valueOf(await registerMerchant(node, input));
  const { merchant } = valueOf(await setMerchantStatus(node, { partnerId, merchantId: "M-1", status: "suspended" }));
  assert.deepEqual(valueOf(await registerMerchant(node, input)), merchant);
  assert.equal(node.reference.current().merchants.get(merchantKeyOf(partner, "M-1"))?.status, "suspended");
});
