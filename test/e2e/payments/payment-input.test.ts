/** What is wrong with a request of 63 to 69 itself (spec D2, D5), field by field from the contract's rows, by plain HTTP. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { type OperationRow, operations } from "@titian/contract";
import { type Answer, type Json, newNumber } from "../../support/black-box/caller.ts";
import { badMoney, faultsOf } from "../../support/black-box/field-faults.ts";
import { captureBody, paths, paymentBody, refundBody, voidBody } from "../../support/black-box/payments/hold-bodies.ts";
import { capture, hold } from "../../support/black-box/payments/holds.ts";
import {
  expectField,
  fieldsOf,
  standingOf,
  startPaymentFixture,
} from "../../support/black-box/payments/payment-fixture.ts";
import { expectCode, idr } from "../../support/black-box/transfers.ts";

const fixture = await startPaymentFixture();
after(() => fixture[Symbol.asyncDispose]());
const { alpha, control, merchant } = fixture;
const payer = await fixture.newPayer();
// Something to capture, void and refund: whatever gets through a check would be seen in its sums.
const payment = await hold(alpha, merchant.merchantId, { additionalInfo: payer.additionalInfo });
const captured = await capture(alpha, payment, { captureAmount: idr("30.00") });
assert.equal(captured.code, "2006500", captured.text);
const onlyOnSuccess = ["referenceNo", "captureNo", "captureTime", "voidNo", "voidTime"];

/** What was sent and rejected, for the queries at the end. */
const faulty: { readonly row: OperationRow; readonly sent: Json }[] = [];

interface Subject {
  readonly row: OperationRow;
  /** A request that would do something. */
  body(): Json;
  /** Its amount, where it has one. */
  readonly amount?: string;
}

const asked = { originalReferenceNo: payment.referenceNo, merchantId: merchant.merchantId };
const subjects: readonly Subject[] = [
  {
    row: operations.authPayment,
    body: () => paymentBody(merchant.merchantId, { additionalInfo: payer.additionalInfo }),
    amount: "amount",
  },
  { row: operations.authPaymentQuery, body: () => asked },
  { row: operations.authCapture, body: () => captureBody(payment), amount: "captureAmount" },
  { row: operations.authCaptureQuery, body: () => ({ ...asked, partnerCaptureNo: "CAP-1" }) },
  { row: operations.authVoid, body: () => voidBody(payment), amount: "voidAmount" },
  { row: operations.authVoidQuery, body: () => ({ ...asked, partnerVoidNo: "VOID-1" }) },
  { row: operations.authRefund, body: () => refundBody(payment), amount: "refundAmount" },
];

/** Sends a request with one fault: exact code and field, the valid fields echoed, nothing done. */
async function expectFault(row: OperationRow, body: Json, code: string, field: string): Promise<Answer> {
  const before = await standingOf(fixture, payment, payer, merchant);
  const answer = await alpha.call(row.path, body);
  faulty.push({ row, sent: body });
  expectField(answer, `400${row.code}${code}`, field);
  for (const [name, value] of Object.entries(fieldsOf(answer))) {
    assert.deepEqual(value, body[name], `${row.name} echoes ${name} only as it was sent`);
    assert.ok(!onlyOnSuccess.includes(name) && name !== field, `${row.name} answers ${name}`);
  }
  assert.deepEqual(await standingOf(fixture, payment, payer, merchant), before, `${row.name} ${field}`);
  return answer;
}

for (const { row, body } of subjects) {
  test(`${row.code}: every field that is missing, too long or of another type is named, and nothing is done`, async () => {
    for (const [name, field] of Object.entries(row.request)) {
      for (const [value, code] of faultsOf(field)) await expectFault(row, { ...body(), [name]: value }, code, name);
    }
  });
}

test("an amount that was given is whole and readable: null, empty or half of one captures nothing", async () => {
  for (const { row, body, amount } of subjects) {
    if (amount === undefined) continue;
    for (const [money, code, member] of badMoney("optional")) {
      await expectFault(row, { ...body(), [amount]: money }, code, `${amount}.${member}`);
    }
  }
});

test("flags are the texts true and false in any case, and nothing else; feeType is one of its list", async () => {
  for (const flag of [true, false, 1, "yes", "1", "t", "truth", "fals", "true ", "TRUE\t"]) {
    await expectFault(operations.authCapture, captureBody(payment, { lastCapture: flag }), "01", "lastCapture");
    const body = voidBody(payment, { voidRemainingAmount: flag });
    await expectFault(operations.authVoid, body, "01", "voidRemainingAmount");
  }
  for (const feeType of ["our", "ALL", "SHA ", "1,000"]) {
    const body = paymentBody(merchant.merchantId, { feeType, additionalInfo: payer.additionalInfo });
    await expectFault(operations.authPayment, body, "01", "feeType");
  }
});

test("a void that is not of all, without an amount, misses its amount", async () => {
  for (const flag of ["false", "FALSE"]) {
    const body = voidBody(payment, { voidRemainingAmount: flag });
    await expectFault(operations.authVoid, body, "02", "voidAmount");
    // Missing outranks malformed (D2).
    await expectFault(operations.authVoid, { ...body, reason: "x".repeat(257) }, "02", "voidAmount");
  }
});

test("what 63 reads out of additionalInfo is named by its path", async () => {
  const faults: readonly (readonly [name: string, ...values: readonly unknown[]])[] = [
    ["sourceAccountNo", "1".repeat(20), 1_001_000_001, true, ["1001000001"], {}],
    ["validUpTo", "tomorrow", "2026-11-21", "2026-02-30T10:00:00+07:00", "2026-11-21 10:00:00", 1_800_000_000, {}],
    ["externalStoreId", "x".repeat(65), 7, false, []],
  ];
  for (const [name, ...values] of faults) {
    for (const value of values) {
      const additionalInfo = { ...payer.additionalInfo, [name]: value };
      const body = paymentBody(merchant.merchantId, { additionalInfo });
      await expectFault(operations.authPayment, body, "01", `additionalInfo.${name}`);
    }
  }
});

test("missing outranks malformed, and of two the first of the table is named", async () => {
  const good = captureBody(payment);
  const cases: readonly (readonly [fault: Json, code: "01" | "02", field: string])[] = [
    [{ title: "", originalReferenceNo: "x".repeat(65), captureAmount: null }, "02", "title"],
    [{ title: undefined, partnerCaptureNo: null }, "02", "partnerCaptureNo"],
    [{ lastCapture: true, captureAmount: null }, "01", "captureAmount"],
    [{ title: "x".repeat(257), subMerchantId: "x".repeat(33) }, "01", "title"],
    [{ additionalInfo: [], captureAmount: { value: "1.00" } }, "02", "captureAmount.currency"],
  ];
  for (const [fault, code, field] of cases) {
    await expectFault(operations.authCapture, { ...good, ...fault }, code, field);
  }
});

test("optional texts that are null or empty count as absent; fields we do not know are ignored", async () => {
  const blank = { subMerchantId: null, feeType: "", mcc: null, productCode: "", items: null, unheardOf: { a: 1 } };
  const info = { ...payer.additionalInfo, validUpTo: "", externalStoreId: null };
  const accepted = await hold(alpha, merchant.merchantId, { ...blank, additionalInfo: info });
  const nobody = { subMerchantId: "", additionalInfo: null };
  const some = { captureAmount: idr("1.00"), lastCapture: "", ...nobody };
  expectCode(await capture(alpha, accepted, some), "2006500");
  const back = { originalReferenceNo: "", merchantId: null, externalStoreId: "", originalCaptureNo: "", reason: null };
  expectCode(await alpha.call(paths.refund, refundBody(accepted, { ...back, ...nobody })), "2006900");
  const all = { voidRemainingAmount: "", reason: "", ...nobody };
  expectCode(await alpha.call(paths.void, voidBody(accepted, all)), "2006700");
});

test("every text of its full length, counted in characters, is accepted and comes back whole", async () => {
  const wide = (length: number) => "🏨".repeat(length);
  const own = (length: number) => newNumber().padEnd(length, "é");
  const names = { merchantId: merchant.merchantId, subMerchantId: wide(32) };
  const info = { ...payer.additionalInfo, externalStoreId: wide(64) };
  const fields = { partnerReferenceNo: own(64), title: wide(256), mcc: wide(32), productCode: wide(64) };
  const long = await hold(alpha, merchant.merchantId, { ...names, ...fields, feeType: "1000", additionalInfo: info });
  assert.equal(long.partnerReferenceNo, fields.partnerReferenceNo);
  const bodies: readonly (readonly [path: string, body: Json, code: string, own: string])[] = [
    [
      paths.capture,
      captureBody(long, { ...names, partnerCaptureNo: own(64), title: wide(256), captureAmount: idr("1.00") }),
      "2006500",
      "partnerCaptureNo",
    ],
    [
      paths.refund,
      refundBody(long, { ...names, partnerRefundNo: own(64), reason: wide(256), externalStoreId: wide(64) }),
      "2006900",
      "partnerRefundNo",
    ],
    [paths.void, voidBody(long, { ...names, partnerVoidNo: own(64), reason: wide(256) }), "2006700", "partnerVoidNo"],
  ];
  for (const [path, body, code, number] of bodies) {
    const answer = await alpha.call(path, body);
    expectCode(answer, code);
    assert.equal(answer.body[number], body[number]);
  }
});

test("nothing of it all was recorded: no query finds an attempt, and the audit finds nothing", async () => {
  const queries: Readonly<Record<string, readonly [path: string, code: string, query: (sent: Json) => Json]>> = {
    authPayment: [paths.query, "4046401", (sent) => ({ originalPartnerReferenceNo: sent["partnerReferenceNo"] })],
    authCapture: [paths.captureQuery, "4046601", ({ partnerCaptureNo }) => ({ ...asked, partnerCaptureNo })],
    authVoid: [paths.voidQuery, "4046801", ({ partnerVoidNo }) => ({ ...asked, partnerVoidNo })],
  };
  let found = 0;
  for (const { row, sent } of faulty) {
    const [path = "", code = "", query] = queries[row.name] ?? [];
    const number = Object.values(query?.(sent) ?? {}).at(-1);
    if (!query || typeof number !== "string" || !/^\d{1,64}$/.test(number)) continue;
    expectCode(await alpha.call(path, query(sent)), code);
    found += 1;
  }
  assert.ok(found > 100, `${found} attempts were asked for`);
  assert.deepEqual(await control.audit(), { ok: true, findings: [] });
});
