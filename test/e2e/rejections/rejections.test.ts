/** Every business rejection of a debit that our own data decides (spec D2, D6, D11), by plain HTTP: exact code, echo (D8), no money moved, status 06. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Json } from "../../support/black-box/caller.ts";
import { paths } from "../../support/black-box/payments/hold-bodies.ts";
import { expectField } from "../../support/black-box/answers.ts";
import { moneyAt } from "../../support/black-box/rails/rail-money.ts";
import { railServices } from "../../support/black-box/rails/rail-services.ts";
import { expectCode, idr } from "../../support/black-box/transfers.ts";
import { startWrites } from "../../support/black-box/writes/all-writes.ts";
import { suspenseNoOf } from "../../support/suspense-account.ts";
import { debitsOf } from "./debits.ts";

const { rails, payments, ...started } = await startWrites();
after(() => started[Symbol.asyncDispose]());
const { alpha, beta, control, sandbox, newPayer } = rails;
const { accounts, bankCode, merchants } = sandbox.file;
const { hotel, merchant } = payments;
const [payer, poor, empty, dollars, yen, limited, bare] = await Promise.all([
  newPayer("10000000000.00"),
  newPayer("1000.00"),
  newPayer("0.00"),
  newPayer("1000000000.00", { currency: "USD" }),
  newPayer("1000000000", { currency: "JPY" }),
  newPayer("1000000000.00", { limits: { each: "200000000.00" } }),
  payments.newMerchant(),
]);
const own = (status: string) =>
  accounts.find((one) => one.status === status && alpha.partner.sourceAccounts.includes(one.accountNo))?.accountNo ??
  assert.fail(status);
const [blocked, closed, dormant] = [own("blocked"), own("closed"), own("dormant")];
const foreign = beta.partner.sourceAccounts[0] ?? "";
const [, beneficiary = ""] = alpha.partner.sourceAccounts;
const foreignMerchant = beta.partner.merchants[1] ?? "";
const merchantsPayer = merchants[0]?.payerAccountNo ?? "";
const debits = debitsOf(payments);

interface Row {
  readonly why: string;
  /** Status and case digits; the service code goes between. */
  readonly code: string;
  /** In brackets behind the message; absent: none. */
  readonly reason?: string;
  /** The field the message names. */
  readonly field?: string;
  /** Services; absent: all of them. */
  readonly on?: readonly string[];
  /** Payer; null: nobody is named. */
  readonly from?: string | null;
  readonly more?: Json;
  /** The amount in the response; absent: the request's. */
  readonly answered?: Json;
}

const overRails = ["18", "22", "23"];
const bank = (beneficiaryBankCode: string) => ({ beneficiaryBankCode });
const to = (beneficiaryAccountNo: string) => ({ beneficiaryAccountNo });
const amount = (value: string, currency = "IDR") => ({ amount: { value, currency } });

const ofAll: readonly Row[] = [
  { why: "source unknown", from: "1001999999", code: "40315", reason: "Source account" },
  { why: "source of another partner", from: foreign, code: "40315", reason: "Source account" },
  { why: "source of ours that nobody was given", from: merchantsPayer, code: "40315", reason: "Source account" },
  { why: "an account of our own", from: "funding:IDR", code: "40315", reason: "Source account" },
  { why: "blocked", from: blocked, code: "40318", reason: "Source account" },
  { why: "closed", from: closed, code: "40318", reason: "Source account" },
  { why: "dormant", from: dormant, code: "40309", reason: "Source account" },
  { why: "state comes before amount", from: dormant, more: amount("0.00"), code: "40309", reason: "Source account" },
  { why: "zero", more: amount("0"), code: "40413", reason: "Zero amount" },
  { why: "zero comes before funds", from: empty, more: amount("0.0"), code: "40413", reason: "Zero amount" },
  { why: "dollars from rupiah", more: amount("1.00", "USD"), code: "40001", field: "amount.currency" },
  { why: "rupiah from dollars", from: dollars, code: "40001", field: "amount.currency" },
  { why: "dollars from dollars", from: dollars, more: amount("1.5", "USD"), code: "40001", field: "amount.currency" },
  { why: "half a yen", from: yen, more: amount("1.5", "JPY"), code: "40001", field: "amount.value" },
  { why: "nothing there", from: empty, code: "40314" },
  { why: "not one sen there", on: ["17", "63"], from: empty, more: amount("0.01"), code: "40314" },
  {
    why: "one sen more than there is",
    on: ["17", "18", "23", "63"],
    from: poor,
    more: amount("1000.01"),
    code: "40314",
  },
  { why: "the largest amount", on: ["17", "22", "63"], more: amount("9999999999999999.99"), code: "40314" },
  {
    why: "over the payer's limit",
    from: limited,
    more: amount("200000000.01"),
    code: "40302",
    reason: "Account limit",
  },
];

const ofIntrabank: readonly Row[] = [
  {
    why: "source comes before beneficiary",
    from: foreign,
    more: to("7777777777"),
    code: "40315",
    reason: "Source account",
  },
  { why: "beneficiary unknown", more: to("7777777777"), code: "40411", reason: "Unknown beneficiary account" },
  { why: "source and beneficiary the same", more: to(payer), code: "40315", reason: "Same account" },
  { why: "the same, although blocked", from: blocked, more: to(blocked), code: "40315", reason: "Same account" },
  { why: "beneficiary blocked", more: to(blocked), code: "40318", reason: "Beneficiary account" },
  { why: "beneficiary closed", more: to(closed), code: "40318", reason: "Beneficiary account" },
  { why: "beneficiary dormant", more: to(dormant), code: "40309", reason: "Beneficiary account" },
];

const ofRails: readonly Row[] = [
  { why: "a rail's account of our own", from: suspenseNoOf("skn"), code: "40315", reason: "Source account" },
  { why: "source comes before bank", from: foreign, more: bank("998"), code: "40315", reason: "Source account" },
  { why: "bank unknown", more: bank("998"), code: "40403", reason: "Unknown bank" },
  { why: "bank unknown, a BIC of 8", more: bank("ZZZZIDJA"), code: "40403", reason: "Unknown bank" },
  { why: "bank unknown, a BIC of 11", more: bank("ZZZZIDJAXXX"), code: "40403", reason: "Unknown bank" },
  { why: "a bank's BIC elsewhere", more: bank("CENASGSG"), code: "40403", reason: "Unknown bank" },
  { why: "our own bank", more: bank(bankCode), code: "40403", reason: "Own bank" },
  { why: "bank comes before state", from: dormant, more: bank("998"), code: "40403", reason: "Unknown bank" },
  {
    why: "bank comes before amount",
    more: { ...bank(bankCode), ...amount("0.00") },
    code: "40403",
    reason: "Own bank",
  },
];

const belowMinimum = { code: "40413", reason: "Below minimum" };
const railLimit = { code: "40302", reason: "Rail limit" };
const feeExceeds = { code: "40413", reason: "Fee exceeds amount" };

const ofSomeRails: readonly Row[] = [
  { why: "less than the rail carries", on: ["18", "23"], more: amount("0.99"), ...belowMinimum },
  { why: "as much as others carry at most", on: ["22"], more: amount("100000000.00"), ...belowMinimum },
  { why: "too small comes before funds", on: ["22"], from: empty, more: amount("1.00"), ...belowMinimum },
  { why: "one sen more than it carries", on: ["18"], more: amount("250000000.01"), ...railLimit },
  { why: "one sen more than it carries", on: ["23"], more: amount("1000000000.01"), ...railLimit },
  { why: "the largest amount", on: ["18", "23"], more: amount("9999999999999999.99"), ...railLimit },
  { why: "too much comes before funds", on: ["18"], from: empty, more: amount("250000000.01"), ...railLimit },
  { why: "the fee before funds", on: ["18"], from: empty, more: { ...amount("1.00"), feeType: "BEN" }, ...feeExceeds },
  ...feeTooLarge("18", { BEN: "2500.00", SHA: "1500.00", "1000": "1500.00" }),
  ...feeTooLarge("23", { BEN: "2900.00", SHA: "1900.00", "1000": "1900.00" }),
];

/** Amounts that the beneficiary's part of the fee leaves nothing of. */
function feeTooLarge(service: string, values: Readonly<Record<string, string>>): readonly Row[] {
  return Object.entries(values).flatMap(([feeType, value]) =>
    [value, "1.00"].map((least) => ({
      why: `${feeType} of ${least}`,
      on: [service],
      more: { ...amount(least), feeType },
      ...feeExceeds,
    })),
  );
}

const none = { amount: undefined };
const nobody = { merchantId: "nobody" };
const noPayer = { code: "40002", field: "additionalInfo.sourceAccountNo" };

const ofPayments: readonly Row[] = [
  { why: "merchant unknown", more: nobody, code: "40408" },
  { why: "another partner's merchant", more: { merchantId: foreignMerchant }, code: "40408" },
  { why: "an id in other letters", more: { merchantId: merchant.merchantId.toUpperCase() }, code: "40408" },
  { why: "the merchant comes before the payer", from: foreign, more: nobody, code: "40408" },
  { why: "merchant unknown, no amount", more: { ...nobody, ...none }, answered: idr("0.00"), code: "40408" },
  {
    why: "the merchant pays itself",
    from: bare.settlement,
    more: { merchantId: bare.merchantId },
    code: "40315",
    reason: "Same account",
  },
  { why: "nobody pays", from: null, more: { merchantId: bare.merchantId }, ...noPayer },
  { why: "no amount and no default", more: none, answered: idr("0.00"), code: "40002", field: "amount" },
  {
    why: "the payer comes before the amount",
    from: null,
    more: { merchantId: bare.merchantId, ...none },
    answered: idr("0.00"),
    ...noPayer,
  },
  {
    why: "the default amount is too much",
    from: poor,
    more: { merchantId: hotel.merchantId, ...none },
    answered: idr("500000.00"),
    code: "40314",
  },
];

const rows: readonly Row[] = [
  ...ofAll,
  ...ofIntrabank.map((row) => ({ ...row, on: ["17"] })),
  ...ofRails.map((row) => ({ ...row, on: overRails })),
  ...ofSomeRails,
  ...ofPayments.map((row) => ({ ...row, on: ["63"] })),
];

/** Money with the decimals of its currency. */
function written({ value, currency }: { readonly value: string; readonly currency: string }): Json {
  const [whole = "", decimals = ""] = value.split(".");
  return { value: currency === "JPY" ? value : `${whole}.${decimals.padEnd(2, "0")}`, currency };
}

const look = () =>
  Promise.all([
    ...[payer, poor, empty, dollars, yen, limited, blocked, closed, dormant].map(control.account),
    ...[foreign, beneficiary, merchantsPayer, bare.settlement].map(control.account),
    ...railServices.map(({ rail }) => moneyAt(control, rail, payer)),
  ]);

for (const debit of debits) {
  test(`${debit.service}: each rejection has its code, echoes the request, moves nothing, and has status 06`, async () => {
    const before = await look();
    for (const { why, code, reason, field, on, from = payer, more = {}, answered } of rows) {
      if (on !== undefined && !on.includes(debit.service)) continue;
      const body = debit.body(from ?? undefined, more);
      const answer = await alpha.call(debit.path, body);
      const whole = `${code.slice(0, 3)}${debit.service}${code.slice(3)}`;
      assert.equal(answer.code, whole, `${why}: ${answer.text}`);
      if (field === undefined) {
        expectCode(answer, whole);
        assert.equal(/\[(.*)\]$/.exec(answer.message)?.[1], reason, `${why}: ${answer.message}`);
      } else expectField(answer, whole, field);
      debit.expectEcho(answer, body, answered ?? written(body["amount"] as Parameters<typeof written>[0]));
      await debit.expectFailed(answer, body);
    }
    assert.deepEqual(await look(), before);
  });
}

test("another partner's account or merchant is answered exactly as one that does not exist (D19)", async () => {
  for (const { path, body } of debits) {
    const answerTo = async (from: string, more: Json = {}) => {
      const answer = await alpha.call(path, body(from, more));
      const { partnerReferenceNo: _, paidTime: __, ...rest } = answer.body;
      return JSON.stringify(rest).replaceAll(from, "<from>");
    };
    assert.equal(await answerTo(foreign), await answerTo("1002999999"));
    if (path !== paths.payment) continue;
    const theirs = await answerTo(payer, { merchantId: foreignMerchant });
    assert.equal(theirs, await answerTo(payer, { merchantId: "beta-nothing" }));
  }
});

test("the audit finds nothing", async () => {
  assert.deepEqual(await control.audit(), { ok: true, findings: [] });
});
