/** Additions to a request's mandatory fields (spec D2): blanks, fields we do not know, texts of their full length. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { type Json, newNumber } from "../../support/black-box/caller.ts";
import { captureBody, paths, refundBody, voidBody } from "../../support/black-box/payments/hold-bodies.ts";
import { capture, hold } from "../../support/black-box/payments/holds.ts";
import { interbank, railServices } from "../../support/black-box/rails/rail-services.ts";
import { expectCode, idr } from "../../support/black-box/transfers.ts";
import { startWrites } from "../../support/black-box/writes/all-writes.ts";

const { rails, payments, ...started } = await startWrites();
after(() => started[Symbol.asyncDispose]());
const { alpha } = rails;
const { merchantId } = payments.merchant;
const { accountNo, additionalInfo } = await payments.newPayer("1000000000.00");

const wide = (length: number) => "🏦".repeat(length);
const fullNumber = () => newNumber().padEnd(64, "é");

test("18, 22, 23: every optional field blank, or of its full length in characters, is accepted", async () => {
  const texts = { beneficiaryAddress: 100, beneficiaryBankName: 50, customerReference: 30, remark: 50 };
  const phones = { kodepos: 10, receiverPhone: 20, senderPhone: 20 };
  for (const service of railServices) {
    const success = `200${service.service}00`;
    const optional = { ...texts, ...(service !== interbank && phones) };
    const names = [...Object.keys(optional), "beneficiaryEmail", "currency", "feeType", "originatorInfos"];
    const blank = Object.fromEntries(names.map((name) => [name, name === "originatorInfos" ? null : ""]));
    await rails.send(service, accountNo, { ...blank, additionalInfo: null, unheardOf: { a: 1 } }, success);
    const full = Object.fromEntries(Object.entries(optional).map(([name, length]) => [name, wide(length)]));
    const echoed = {
      partnerReferenceNo: fullNumber(),
      beneficiaryAccountNo: "ID-0014/88.01 ABC".padEnd(34, "z"),
      customerReference: wide(30),
      originatorInfos: [
        { originatorCustomerNo: wide(34), originatorCustomerName: wide(100), originatorBankCode: "CENAIDJAXXX" },
      ],
      additionalInfo: { k: [wide(1)] },
    };
    const others = {
      beneficiaryAccountName: wide(100),
      beneficiaryEmail: `${wide(40)}@${wide(9)}`,
      currency: "IDR",
    };
    const { body } = await rails.send(service, accountNo, { ...full, ...others, ...echoed }, success);
    assert.deepEqual(Object.fromEntries(Object.keys(echoed).map((name) => [name, body[name]])), echoed);
  }
});

test("63 to 69: optional texts that are null or empty count as absent; fields we do not know are ignored", async () => {
  const blank = { subMerchantId: null, feeType: "", mcc: null, productCode: "", items: null, unheardOf: { a: 1 } };
  const info = { ...additionalInfo, validUpTo: "", externalStoreId: null };
  const accepted = await hold(alpha, merchantId, { ...blank, additionalInfo: info });
  const nobody = { subMerchantId: "", additionalInfo: null };
  const some = { captureAmount: idr("1.00"), lastCapture: "", ...nobody };
  expectCode(await capture(alpha, accepted, some), "2006500");
  const back = { originalReferenceNo: "", merchantId: null, externalStoreId: "", originalCaptureNo: "", reason: null };
  expectCode(await alpha.call(paths.refund, refundBody(accepted, { ...back, ...nobody })), "2006900");
  const all = { voidRemainingAmount: "", reason: "", ...nobody };
  expectCode(await alpha.call(paths.void, voidBody(accepted, all)), "2006700");
});

test("63 to 69: every text of its full length, counted in characters, is accepted and comes back whole", async () => {
  const names = { merchantId, subMerchantId: wide(32) };
  const info = { ...additionalInfo, externalStoreId: wide(64) };
  const fields = { partnerReferenceNo: fullNumber(), title: wide(256), mcc: wide(32), productCode: wide(64) };
  const long = await hold(alpha, merchantId, { ...names, ...fields, feeType: "1000", additionalInfo: info });
  assert.equal(long.partnerReferenceNo, fields.partnerReferenceNo);
  const captured = { partnerCaptureNo: fullNumber(), title: wide(256), captureAmount: idr("1.00") };
  const refunded = { partnerRefundNo: fullNumber(), reason: wide(256), externalStoreId: wide(64) };
  const voided = { partnerVoidNo: fullNumber(), reason: wide(256) };
  const bodies: readonly (readonly [path: string, body: Json, code: string, own: string])[] = [
    [paths.capture, captureBody(long, { ...names, ...captured }), "2006500", "partnerCaptureNo"],
    [paths.refund, refundBody(long, { ...names, ...refunded }), "2006900", "partnerRefundNo"],
    [paths.void, voidBody(long, { ...names, ...voided }), "2006700", "partnerVoidNo"],
  ];
  for (const [path, body, code, number] of bodies) {
    const answer = await alpha.call(path, body);
    expectCode(answer, code);
    assert.equal(answer.body[number], body[number]);
  }
});
