/** Rejections of a request for payment (19) by our own data (spec D2, D6, D12): code, echo, status 06, nothing kept. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { type Json, newNumber } from "../../support/black-box/caller.ts";
import {
  countPaymentRequests,
  expectRequestStatus,
  paymentRequestBody,
  paymentRequestPath,
} from "../../support/black-box/payment-requests.ts";
import { startRailFixture } from "../../support/black-box/rails/rail-fixture.ts";
import { expectCode, idr, statusPath } from "../../support/black-box/transfers.ts";

const fixture = await startRailFixture();
after(() => fixture[Symbol.asyncDispose]());
const { alpha, control, sandbox } = fixture;
await fixture.moveTo(fixture.at(0, "10:00:01"));
const { bankCode } = sandbox.file;
const open = async (more: Json = {}) => (await control.open({ name: "A holder", balance: "1.00", ...more })).accountNo;
const become = async (status: string) => {
  const accountNo = await open({ balance: "0.00" });
  await control.change(accountNo, { status });
  return accountNo;
};
const [payer, beneficiary, dollars, yen] = [
  await open(),
  await open(),
  await open({ currency: "USD" }),
  await open({ currency: "JPY", balance: "1" }),
];
const [blocked, closed, dormant] = [await become("blocked"), await become("closed"), await become("dormant")];
const own = (beneficiaryAccountNo = beneficiary) => ({ bankCode, beneficiaryAccountNo });
const past = { expiredDatetime: fixture.at(0, "10:00:00") };
const unknown = { sourceAccountNo: "7777777777" };

/** Status and case digits, and what follows the message; then what the request has instead. */
const rows: readonly (readonly [code: string, suffix: string, more: Json])[] = [
  ["40001", " expiredDatetime", past],
  ["40001", " expiredDatetime", { ...past, ...unknown }],
  ["40411", " [Unknown source account]", unknown],
  ["40411", " [Unknown source account]", { sourceAccountNo: "funding:IDR" }],
  ["40411", " [Unknown source account]", { ...unknown, bankCode: "998" }],
  ["40318", " [Source account]", { sourceAccountNo: blocked }],
  ["40318", " [Source account]", { sourceAccountNo: closed }],
  ["40309", " [Source account]", { sourceAccountNo: dormant }],
  ["40309", " [Source account]", { sourceAccountNo: dormant, amount: idr("0.00") }],
  ["40403", " [Unknown bank]", { bankCode: "998" }],
  ["40403", " [Unknown bank]", { bankCode: "998", sourceAccountNo: dormant }],
  ["40411", " [Unknown beneficiary account]", own("7777777777")],
  // No rail carries a number of ours.
  ["40411", " [Unknown beneficiary account]", own("77_77")],
  ["40411", " [Unknown beneficiary account]", own("funding:IDR")],
  ["40315", " [Same account]", own(payer)],
  ["40318", " [Beneficiary account]", own(blocked)],
  ["40309", " [Beneficiary account]", own(dormant)],
  ["40001", " amount.currency", { amount: { value: "1.00", currency: "USD" } }],
  ["40001", " amount.currency", { sourceAccountNo: dollars }],
  ["40001", " amount.currency", { sourceAccountNo: dollars, amount: { value: "1.00", currency: "USD" } }],
  ["40001", " amount.currency", { ...own(), sourceAccountNo: dollars, amount: { value: "1.00", currency: "USD" } }],
  ["40001", " currency", { amount: undefined, currency: "USD" }],
  ["40001", " currency", { amount: undefined, sourceAccountNo: dollars }],
  ["40001", " amount.value", { ...own(dollars), sourceAccountNo: yen, amount: { value: "1.5", currency: "JPY" } }],
  ["40413", " [Zero amount]", { amount: idr("0.00") }],
  ["40413", " [Zero amount]", { ...own(), amount: idr("0") }],
  ["40413", " [Below minimum]", { amount: idr("0.99") }],
  ["40413", " [Fee exceeds amount]", { amount: idr("2500.00"), feeType: "BEN" }],
  ["40302", " [Rail limit]", { amount: idr("250000000.01") }],
];

for (const [code, suffix, more] of rows) {
  const title = `${code}${suffix}: ${JSON.stringify(more)}`;
  test(title, async () => {
    const partnerReferenceNo = newNumber();
    const additionalInfo = { k: [1] };
    const body = paymentRequestBody(fixture, payer, { partnerReferenceNo, additionalInfo, ...more });
    const answer = await alpha.call(paymentRequestPath, body);
    expectCode(answer, `${code.slice(0, 3)}19${code.slice(3)}`);
    assert.ok(answer.message.endsWith(suffix), answer.message);
    const { responseCode, responseMessage, ...echoed } = answer.body;
    assert.deepEqual(echoed, { partnerReferenceNo, additionalInfo });
    const inquiry = { serviceCode: "19", originalPartnerReferenceNo: partnerReferenceNo };
    const found = await alpha.call(statusPath, inquiry);
    expectCode(found, "2003600");
    assert.deepEqual(
      [found.body["latestTransactionStatus"], found.body["previousResponseCode"], found.body["referenceNumber"]],
      ["06", responseCode, ""],
    );
    const { rejection } = found.body["additionalInfo"] as { readonly rejection: unknown };
    assert.deepEqual(rejection, { responseCode, responseMessage });
  });
}

test("nothing of it was kept; funds, limits of the account and who may debit it are no matter of the request", async () => {
  assert.equal(await countPaymentRequests(sandbox.file, payer), 0);
  for (const more of [
    { amount: idr("250000000.00") },
    { ...own(), amount: idr("9999999999999999.99") },
    { ...own(dollars), sourceAccountNo: await open({ currency: "USD" }), amount: undefined },
  ]) {
    const answer = await alpha.call(paymentRequestPath, paymentRequestBody(fixture, payer, more));
    expectCode(answer, "2001900");
    await expectRequestStatus(alpha, answer, "01");
  }
  assert.deepEqual(await control.audit(), { ok: true, findings: [] });
});
