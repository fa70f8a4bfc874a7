/** Every rejection of 18, 22 and 23 that our own data decides (spec D2, D6, D11), by plain HTTP: exact code, echo (D8), nothing moved, found by 36 as failed. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Answer, Json } from "../../support/black-box/caller.ts";
import { expectField, fieldsOf } from "../../support/black-box/payments/payment-fixture.ts";
import { moneyOf } from "../../support/black-box/rails/rail-money.ts";
import { startRailFixture } from "../../support/black-box/rails/rail-fixture.ts";
import { interbank, type RailService, railServices, rtgs, skn } from "../../support/black-box/rails/rail-services.ts";
import { inquire, railBody } from "../../support/black-box/rails/rail-transfers.ts";
import { expectCode, idr } from "../../support/black-box/transfers.ts";

const fixture = await startRailFixture();
after(() => fixture[Symbol.asyncDispose]());
const { alpha, beta, control, sandbox } = fixture;
await fixture.moveTo(fixture.at(0, "10:00:00"));
const { accounts, bankCode, merchants } = sandbox.file;
const [payer, empty, dollars, yen, limited] = await Promise.all([
  fixture.newPayer(),
  fixture.newPayer("0.00"),
  fixture.newPayer("1000000000.00", { currency: "USD" }),
  fixture.newPayer("1000000000", { currency: "JPY" }),
  fixture.newPayer("1000000000.00", { limits: { each: "200000000.00" } }),
]);
const own = (status: string) =>
  accounts.find((one) => one.status === status && alpha.partner.sourceAccounts.includes(one.accountNo))?.accountNo ??
  assert.fail(status);
const foreign = beta.partner.sourceAccounts[0] ?? "";
const merchantsPayer = merchants[0]?.payerAccountNo ?? "";

interface Row {
  readonly why: string;
  /** Status and case digits; the service code goes between. */
  readonly code: string;
  /** In brackets behind the message; absent: none. */
  readonly reason?: string;
  /** The field the message names. */
  readonly field?: string;
  /** All three unless some are named. */
  readonly on?: readonly RailService[];
  readonly from?: string;
  readonly more?: Json;
}

const to = (beneficiaryBankCode: string) => ({ beneficiaryBankCode });
const amount = (value: string, currency = "IDR") => ({ amount: { value, currency } });

const rows: readonly Row[] = [
  { why: "source unknown", from: "1001999999", code: "40315", reason: "Source account" },
  { why: "source of another partner", from: foreign, code: "40315", reason: "Source account" },
  { why: "source of ours that nobody was given", from: merchantsPayer, code: "40315", reason: "Source account" },
  { why: "an account of our own", from: "funding:IDR", code: "40315", reason: "Source account" },
  { why: "a rail's account of our own", from: "suspense:skn:IDR", code: "40315", reason: "Source account" },
  { why: "source comes before bank", from: foreign, more: to("998"), code: "40315", reason: "Source account" },
  { why: "bank unknown", more: to("998"), code: "40403", reason: "Unknown bank" },
  { why: "bank unknown, a BIC of 8", more: to("ZZZZIDJA"), code: "40403", reason: "Unknown bank" },
  { why: "bank unknown, a BIC of 11", more: to("ZZZZIDJAXXX"), code: "40403", reason: "Unknown bank" },
  { why: "a bank's BIC elsewhere", more: to("CENASGSG"), code: "40403", reason: "Unknown bank" },
  { why: "our own bank", more: to(bankCode), code: "40403", reason: "Own bank" },
  { why: "bank comes before state", from: own("dormant"), more: to("998"), code: "40403", reason: "Unknown bank" },
  { why: "bank comes before amount", more: { ...to(bankCode), ...amount("0.00") }, code: "40403", reason: "Own bank" },
  { why: "blocked", from: own("blocked"), code: "40318", reason: "Source account" },
  { why: "closed", from: own("closed"), code: "40318", reason: "Source account" },
  { why: "dormant", from: own("dormant"), code: "40309", reason: "Source account" },
  {
    why: "state comes before amount",
    from: own("dormant"),
    more: amount("0"),
    code: "40309",
    reason: "Source account",
  },
  { why: "zero", more: amount("0"), code: "40413", reason: "Zero amount" },
  { why: "zero comes before funds", from: empty, more: amount("0.00"), code: "40413", reason: "Zero amount" },
  {
    why: "a currency that no rail carries",
    from: dollars,
    more: amount("1000.00", "USD"),
    code: "40001",
    field: "amount.currency",
  },
  { why: "rupiah from dollars", from: dollars, code: "40001", field: "amount.currency" },
  { why: "half a yen", from: yen, more: amount("1.5", "JPY"), code: "40001", field: "amount.value" },
  { why: "nothing there", from: empty, code: "40314" },
  {
    why: "less than the rail carries",
    on: [interbank, skn],
    more: amount("0.99"),
    code: "40413",
    reason: "Below minimum",
  },
  {
    why: "as much as others carry at most",
    on: [rtgs],
    more: amount("100000000.00"),
    code: "40413",
    reason: "Below minimum",
  },
  {
    why: "too small comes before funds",
    on: [rtgs],
    from: empty,
    more: amount("1.00"),
    code: "40413",
    reason: "Below minimum",
  },
  {
    why: "one sen more than it carries",
    on: [interbank],
    more: amount("250000000.01"),
    code: "40302",
    reason: "Rail limit",
  },
  {
    why: "one sen more than it carries",
    on: [skn],
    more: amount("1000000000.01"),
    code: "40302",
    reason: "Rail limit",
  },
  {
    why: "the largest amount",
    on: [interbank, skn],
    more: amount("9999999999999999.99"),
    code: "40302",
    reason: "Rail limit",
  },
  { why: "the largest amount", on: [rtgs], more: amount("9999999999999999.99"), code: "40314" },
  {
    why: "too much comes before funds",
    on: [interbank],
    from: empty,
    more: amount("250000000.01"),
    code: "40302",
    reason: "Rail limit",
  },
  {
    why: "over the payer's limit",
    from: limited,
    more: amount("200000000.01"),
    code: "40302",
    reason: "Account limit",
  },
  ...feeTooLarge(interbank, { BEN: "2500.00", SHA: "1500.00", "1000": "1500.00" }),
  ...feeTooLarge(skn, { BEN: "2900.00", SHA: "1900.00", "1000": "1900.00" }),
  {
    why: "the fee comes before funds",
    on: [interbank],
    from: empty,
    more: { ...amount("1.00"), feeType: "BEN" },
    code: "40413",
    reason: "Fee exceeds amount",
  },
];

/** Amounts that the beneficiary's part of the fee leaves nothing of. */
function feeTooLarge(service: RailService, values: Readonly<Record<string, string>>): readonly Row[] {
  return Object.entries(values).flatMap(([feeType, value]) =>
    [value, "1.00"].map((least) => ({
      why: `${feeType} of ${least}`,
      on: [service],
      more: { ...amount(least), feeType },
      code: "40413",
      reason: "Fee exceeds amount",
    })),
  );
}

test("each rejection has its code, echoes the request, moves nothing, and is found by 36 as failed", async () => {
  for (const row of rows) {
    for (const service of row.on ?? railServices) await expectRejection(row, service);
  }
});

async function expectRejection(
  { why, code, reason, field, from = payer, more }: Row,
  service: RailService,
): Promise<void> {
  const said = { customerReference: "INV-1", feeType: "OUR", additionalInfo: { k: [1] }, ...more };
  const body = railBody(service, from, said);
  const watched = [payer, empty, limited].includes(from) ? from : payer;
  const moved = await fixture.watch(service.rail, watched);
  const answer = await alpha.call(service.path, body);
  const whole = `${code.slice(0, 3)}${service.service}${code.slice(3)}`;
  assert.equal(answer.code, whole, `${why}: ${answer.text}`);
  assert.equal(/\[(.*)\]$/.exec(answer.message)?.[1], reason, `${why}: ${answer.message}`);
  if (field === undefined) expectCode(answer, whole);
  else expectField(answer, whole, field);
  expectEcho(why, answer, body);
  assert.deepEqual(await moved(), moneyOf(service).none, why);
  const found = await inquire(alpha, service, answer);
  expectCode(found, "2003600");
  const { latestTransactionStatus, previousResponseCode, originalReferenceNo, referenceNumber } = found.body;
  assert.deepEqual(
    [latestTransactionStatus, previousResponseCode, originalReferenceNo, referenceNumber],
    ["06", whole, undefined, ""],
    `${why}: ${found.text}`,
  );
}

/** Every field of the request that the answer lists, and no other; amounts with the decimals of their currency. */
function expectEcho(why: string, answer: Answer, body: Json): void {
  const { partnerReferenceNo, beneficiaryAccountNo, customerReference, sourceAccountNo, transactionDate } = body;
  const { value, currency } = body["amount"] as { readonly value: string; readonly currency: string };
  const decimals = value.includes(".") || currency === "JPY" ? value : `${value}.00`;
  assert.deepEqual(
    fieldsOf(answer),
    {
      partnerReferenceNo,
      amount: { value: decimals, currency },
      beneficiaryAccountNo,
      customerReference,
      sourceAccountNo,
      transactionDate,
      additionalInfo: body["additionalInfo"],
    },
    why,
  );
}

test("another partner's account is answered exactly as one that does not exist (D19)", async () => {
  for (const service of railServices) {
    const tell = async (from: string) => {
      const answer = await alpha.call(service.path, railBody(service, from));
      const { partnerReferenceNo: _, sourceAccountNo: __, ...rest } = answer.body;
      return rest;
    };
    assert.deepEqual(await tell(foreign), await tell("1002999999"));
  }
});

test("the least and the most that each rail carries, and the least that a fee leaves something of, go through", async () => {
  const rich = await fixture.newPayer("10000000000.00");
  const cases: readonly (readonly [service: RailService, value: string, feeType?: string])[] = [
    [interbank, "1.00"],
    [interbank, "250000000.00"],
    [interbank, "2500.01", "BEN"],
    [interbank, "1500.01", "SHA"],
    [rtgs, "100000000.01"],
    [rtgs, "100000000.01", "BEN"],
    [rtgs, "5000000000.00"],
    [skn, "1"],
    [skn, "1000000000.00"],
    [skn, "2900.01", "BEN"],
    [skn, "1900.01", "1000"],
  ];
  for (const [service, value, feeType] of cases) {
    await fixture.send(service, rich, { amount: idr(value), feeType }, `200${service.service}00`);
  }
  await fixture.advance(3_600);
  await control.call("POST", "rails/skn/settle");
  // What travelled, behind a fee that took the rest of it.
  const { entries } = await control.call<{ readonly entries: readonly { readonly amount: string }[] }>(
    "GET",
    `accounts/${encodeURIComponent("clearing:interbank:IDR")}/entries`,
  );
  assert.equal(entries.filter(({ amount: moved }) => moved === "0.01").length, 2);
});

test("a bank is reached by its three digits, its BIC of 8, and any branch's BIC of 11", async () => {
  for (const beneficiaryBankCode of ["014", "CENAIDJA", "CENAIDJAXXX", "CENAIDJAABC"]) {
    for (const service of railServices) {
      const answer = await fixture.send(service, payer, { beneficiaryBankCode }, `200${service.service}00`);
      const found = await inquire(alpha, service, answer);
      assert.equal(found.body["beneficiaryBankCode"], beneficiaryBankCode);
    }
  }
});

test("the audit finds nothing", async () => {
  assert.deepEqual(await control.audit(), { ok: true, findings: [] });
});
