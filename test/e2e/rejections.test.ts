/** Every business rejection of operation 17 (spec D6), by plain HTTP: the exact code, its echo (D8), and no trace of money. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { type Answer, type Json, newNumber } from "../support/black-box/caller.ts";
import { startSandbox } from "../support/black-box/start-sandbox.ts";
import { expectCode, statusPath, transferBody, transferPath } from "../support/black-box/transfers.ts";

const sandbox = await startSandbox();
after(() => sandbox[Symbol.asyncDispose]());
const { control, file } = sandbox;
const alpha = sandbox.caller("alpha");

const own = (status: string) =>
  file.accounts.find((one) => one.status === status && alpha.partner.sourceAccounts.includes(one.accountNo))
    ?.accountNo ?? "";
const funded = own("active");
const other = alpha.partner.sourceAccounts.find((no) => no !== funded && statusOf(no) === "active") ?? "";
const merchantsAccount = file.merchants[0]?.payerAccountNo ?? "";
const foreign = sandbox.caller("beta").partner.sourceAccounts[0] ?? "";
const { accountNo: empty } = await control.open({ name: "Nobody's money", balance: "0.00", partnerId: "alpha" });

function statusOf(accountNo: string) {
  return file.accounts.find((one) => one.accountNo === accountNo)?.status;
}

interface Row {
  readonly why: string;
  readonly code: string;
  readonly from?: string;
  readonly to?: string;
  readonly value?: string;
  readonly more?: Json;
  /** In brackets behind the message; absent: none. */
  readonly reason?: string;
  /** Text the message must hold. */
  readonly says?: RegExp;
}

const rows: readonly Row[] = [
  { why: "source account unknown", from: "1001999999", code: "4031715", reason: "Source account" },
  { why: "source account of another partner", from: foreign, code: "4031715", reason: "Source account" },
  {
    why: "source account of ours that nobody was given",
    from: merchantsAccount,
    code: "4031715",
    reason: "Source account",
  },
  {
    why: "source not permitted comes before an unknown beneficiary",
    from: foreign,
    to: "7777777777",
    code: "4031715",
    reason: "Source account",
  },
  { why: "beneficiary unknown", to: "7777777777", code: "4041711", reason: "Unknown beneficiary account" },
  { why: "source and beneficiary the same", to: funded, code: "4031715", reason: "Same account" },
  {
    why: "the same, although blocked",
    from: own("blocked"),
    to: own("blocked"),
    code: "4031715",
    reason: "Same account",
  },
  { why: "source blocked", from: own("blocked"), code: "4031718", reason: "Source account" },
  { why: "source closed", from: own("closed"), code: "4031718", reason: "Source account" },
  { why: "source dormant", from: own("dormant"), code: "4031709", reason: "Source account" },
  { why: "beneficiary blocked", to: own("blocked"), code: "4031718", reason: "Beneficiary account" },
  { why: "beneficiary closed", to: own("closed"), code: "4031718", reason: "Beneficiary account" },
  { why: "beneficiary dormant", to: own("dormant"), code: "4031709", reason: "Beneficiary account" },
  { why: "state comes before amount", from: own("dormant"), value: "0.00", code: "4031709", reason: "Source account" },
  { why: "zero", value: "0.00", code: "4041713", reason: "Zero amount" },
  { why: "zero comes before funds", from: empty, value: "0", code: "4041713", reason: "Zero amount" },
  { why: "nothing there to send", from: empty, value: "0.01", code: "4031714" },
  { why: "more than there is", value: "1000000000000000.00", code: "4031714" },
  {
    why: "a currency the accounts do not have",
    more: { amount: { value: "1.00", currency: "USD" } },
    code: "4001701",
    says: /amount\.currency/,
  },
  {
    why: "a currency nobody has",
    more: { amount: { value: "1.00", currency: "XQX" } },
    code: "4001701",
    says: /amount\.currency/,
  },
];

test("each rejection has its code, echoes the request, moves nothing, and is found by 36 as failed", async () => {
  const accounts = [funded, other, empty, foreign, merchantsAccount, own("blocked"), own("dormant"), own("closed")];
  const before = await control.balances(...accounts);
  for (const row of rows) {
    const partnerReferenceNo = newNumber();
    const { from = funded, to = other, value = "1.00" } = row;
    const extra = { customerReference: "INV-1", additionalInfo: { k: [1] }, ...row.more };
    const asked = transferBody({ from, to, value, partnerReferenceNo }, extra);
    const answer = await alpha.call(transferPath, asked);
    expectRejection(answer, row, asked);
    await expectStatus(row, partnerReferenceNo, answer);
  }
  assert.deepEqual(await control.balances(...accounts), before);
  assert.deepEqual(await control.audit(), { ok: true, findings: [] });
});

/** Code and message, and the echo: every field of the request that the response lists, amounts with two decimals. */
function expectRejection(answer: Answer, { why, code, reason, says }: Row, asked: Json): void {
  assert.equal(answer.code, code, `${why}: ${answer.code} ${answer.message}`);
  expectCode(answer, code);
  if (says) assert.match(answer.message, says);
  assert.equal(/\[(.*)\]$/.exec(answer.message)?.[1], reason, `${why}: ${answer.message}`);
  const { responseCode: _, responseMessage: __, ...echoed } = answer.body;
  const expected: Record<string, unknown> = { ...asked };
  if (String(echoed["amount"]) !== "undefined") {
    const value = String((asked["amount"] as Json)["value"]);
    expected["amount"] = { ...(asked["amount"] as Json), value: value.includes(".") ? value : `${value}.00` };
  } else {
    // Not valid, so not echoed.
    delete expected["amount"];
    assert.equal(code, "4001701");
  }
  assert.deepEqual(echoed, expected, why);
}

/** A rejection of step 14 is recorded; what was rejected before leaves no trace. */
async function expectStatus({ why, code }: Row, originalPartnerReferenceNo: string, answer: Answer): Promise<void> {
  const found = await alpha.call(statusPath, { serviceCode: "17", originalPartnerReferenceNo });
  if (found.code === "4043601") {
    assert.equal(code, "4001701", why);
    assert.equal(found.body["latestTransactionStatus"], "07");
    return;
  }
  expectCode(found, "2003600");
  assert.equal(found.body["latestTransactionStatus"], "06", why);
  const rejection = { responseCode: code, responseMessage: answer.message };
  assert.deepEqual(found.body["additionalInfo"], { fee: "0.00", rejection }, why);
  assert.equal(found.body["transactionStatusDesc"], `${code} ${answer.message}`.slice(0, 50), why);
  assert.equal(found.body["previousResponseCode"], code, why);
  assert.equal("originalReferenceNo" in found.body, false, why);
  assert.equal(found.body["referenceNumber"], "", "mandatory, and a rejected transfer has none");
}

test("limits of an account: a transfer, a day's sum, a day's count", async () => {
  const limits = { each: "100.00", daily: "250.00", dailyCount: 4 };
  const { accountNo: from } = await control.open({ name: "Terbatas", balance: "10000.00", partnerId: "alpha", limits });
  const pay = (value: string) => alpha.call(transferPath, transferBody({ from, to: other, value }));
  expectCode(await pay("100.01"), "4031702");
  expectCode(await pay("100.00"), "2001700");
  expectCode(await pay("100.00"), "2001700");
  expectCode(await pay("50.01"), "4031723");
  expectCode(await pay("49.99"), "2001700");
  expectCode(await pay("0.01"), "2001700");
  // Both apply: the count comes before the sum.
  expectCode(await pay("0.01"), "4031704");
  await control.change(from, { limits: { each: "100.00", daily: "250.00" } });
  expectCode(await pay("0.01"), "4031723");
  await control.change(from, { limits: null });
  expectCode(await pay("500.00"), "2001700");
});

test("an account blocked, woken and closed over the control API is rejected and served at once", async () => {
  const { accountNo } = await control.open({ name: "Berubah", balance: "500.00", partnerId: "alpha" });
  const pay = () => alpha.call(transferPath, transferBody({ from: accountNo, to: other, value: "1.00" }));
  for (const [status, code] of [
    ["blocked", "4031718"],
    ["active", "2001700"],
    ["dormant", "4031709"],
    ["active", "2001700"],
  ] as const) {
    assert.equal((await control.change(accountNo, { status })).status, status);
    expectCode(await pay(), code);
  }
  assert.equal((await control.account(accountNo)).ledgerBalance, "498.00");
});
