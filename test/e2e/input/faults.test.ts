/**
 * Faults of a request itself (spec D2, D5), of every operation, field by field from the contract's rows, by plain HTTP.
 */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { type OperationRow, operationRows, operations } from "@titian/contract";
import type { Json } from "../../support/black-box/caller.ts";
import { badMoney, type FaultCode, faultsOf } from "../../support/black-box/field-faults.ts";
import { captureBody, paths, paymentBody, refundBody, voidBody } from "../../support/black-box/payments/hold-bodies.ts";
import { capture, hold } from "../../support/black-box/payments/holds.ts";
import { expectField, fieldsOf } from "../../support/black-box/answers.ts";
import { standingOf } from "../../support/black-box/payments/payment-fixture.ts";
import { bulkBody } from "../../support/black-box/bulks.ts";
import { paymentRequestBody } from "../../support/black-box/payment-requests.ts";
import { moneyAt } from "../../support/black-box/rails/rail-money.ts";
import { interbank, railServices, rtgs, skn } from "../../support/black-box/rails/rail-services.ts";
import { railBody } from "../../support/black-box/rails/rail-transfers.ts";
import { expectCode, idr, statusPath, transferBody } from "../../support/black-box/transfers.ts";
import { startWrites } from "../../support/black-box/writes/all-writes.ts";

const { rails, payments, ...started } = await startWrites();
after(() => started[Symbol.asyncDispose]());
const { alpha, control } = rails;
const { merchant } = payments;
const payer = await payments.newPayer("1000000000.00");
const { accountNo, additionalInfo } = payer;
const [, beneficiary = ""] = alpha.partner.sourceAccounts;
// Something to capture, void and refund: whatever gets through a check would be seen in its sums.
const payment = await hold(alpha, merchant.merchantId, { additionalInfo });
expectCode(await capture(alpha, payment, { captureAmount: idr("30.00") }), "2006500");
const settled = await rails.send(interbank, accountNo, {}, "2001800");

interface Subject {
  readonly row: OperationRow;
  /** A request that would do or find something. */
  body(): Json;
}

const transfers: readonly Subject[] = [
  { row: operations.intrabankTransfer, body: () => transferBody({ from: accountNo, to: beneficiary }) },
  { row: operations.interbankTransfer, body: () => railBody(interbank, accountNo) },
  { row: operations.rtgsTransfer, body: () => railBody(rtgs, accountNo) },
  { row: operations.sknTransfer, body: () => railBody(skn, accountNo) },
];
const [, , ...batched] = transfers;
const inquiry = { serviceCode: "18", originalReferenceNo: settled.body["referenceNo"] };
const statusInquiries: readonly Subject[] = [
  { row: operations.statusInquiryBank, body: () => inquiry },
  { row: operations.statusInquiryNonBank, body: () => inquiry },
];
const queried = { originalReferenceNo: payment.referenceNo, merchantId: merchant.merchantId };
const subjects: readonly Subject[] = [
  ...transfers,
  { row: operations.requestForPayment, body: () => paymentRequestBody(rails, accountNo) },
  { row: operations.interbankBulkTransfer, body: () => bulkBody(accountNo, 1) },
  ...statusInquiries,
  { row: operations.internalAccountInquiry, body: () => ({ beneficiaryAccountNo: beneficiary }) },
  {
    row: operations.externalAccountInquiry,
    body: () => ({ beneficiaryAccountNo: "7001001001", beneficiaryBankCode: "014" }),
  },
  { row: operations.authPayment, body: () => paymentBody(merchant.merchantId, { additionalInfo }) },
  { row: operations.authPaymentQuery, body: () => queried },
  { row: operations.authCapture, body: () => captureBody(payment) },
  { row: operations.authCaptureQuery, body: () => ({ ...queried, partnerCaptureNo: "CAP-1" }) },
  { row: operations.authVoid, body: () => voidBody(payment) },
  { row: operations.authVoidQuery, body: () => ({ ...queried, partnerVoidNo: "VOID-1" }) },
  { row: operations.authRefund, body: () => refundBody(payment) },
];

const bankCodes = "14 0145 ABC cenaidja CENAIDJ CENAIDJAX CENAIDJAXX CENA1DJA 01A".split(" ").concat(" 14");
const timestamps = [
  "2026-11-21",
  "21-11-2026",
  "2026-11-21 10:00:00",
  "2026-11-21T10:00",
  "2026-02-30T10:00:00+07:00",
  "2026-11-21T25:00:00+07:00",
  "today",
];
/** Values that fields of these names do not take, beyond those that no text does. */
const malformed: Readonly<Record<string, readonly unknown[]>> = {
  beneficiaryBankCode: bankCodes,
  bankCode: bankCodes,
  transactionDate: timestamps,
  expiredDatetime: timestamps,
  beneficiaryCustomerResidence: ["0", "3", "I"],
  senderCustomerResidence: ["0", "3", "I"],
  beneficiaryCustomerType: ["0", "4", "A"],
  senderCustomerType: ["0", "4", "A"],
  feeType: ["our", "ALL", "SHA ", "1,000", "1"],
  currency: ["idr", "XQX"],
  beneficiaryEmail: ["a", "a@", "@b", "a b@c", "a@b c", "a@b@"],
  serviceCode: ["15", "16", "21", "36", "53", "63", "75", "76", "7", "aa", "1８"],
  originalResponseCode: ["200180", "ABCDEFG", "20018 0"],
  lastCapture: [true, false, 1, "yes", "1", "t", "truth", "fals", "true ", "TRUE\t"],
  voidRemainingAmount: [true, false, 1, "yes", "1", "t", "truth", "fals", "true ", "TRUE\t"],
};

/** Account numbers that do not leave on a rail (spec D5). */
const malformedNumbers = ["8801 ", " 8801", "88_01", "88:01", "88,01", "'8801", "88é", "８８０１", "88\u00a001"];
const leavesOnRail = (row: OperationRow, name: string) =>
  name === "beneficiaryAccountNo" && ["16", "18", "19", "22", "23"].includes(row.code);

/** Requests that were sent and rejected, to be asked for at the end. */
const faulty: { readonly row: OperationRow; readonly sent: Json }[] = [];
const numbers = ["partnerReferenceNo", "partnerBulkId", "partnerCaptureNo", "partnerVoidNo", "partnerRefundNo"];
const isNumber = (value: unknown) => typeof value === "string" && /^\d{1,64}$/.test(value);
const onlyOnSuccess = ["referenceNo", "captureNo", "captureTime", "voidNo", "voidTime"];

/** Sends a request with one fault: exact code and field, its number and only valid fields echoed. */
async function expectFault(row: OperationRow, body: Json, code: FaultCode, field: string): Promise<void> {
  const answer = await alpha.call(row.path, body);
  faulty.push({ row, sent: body });
  expectField(answer, `400${row.code}${code}`, field);
  const echoed = fieldsOf(answer);
  for (const [name, value] of Object.entries(echoed)) {
    assert.deepEqual(value, body[name], `${row.name} echoes ${name} only as it was sent`);
    assert.ok(!onlyOnSuccess.includes(name) && name !== field, `${row.name} answers ${name}`);
  }
  for (const name of numbers.filter((one) => one in row.response && isNumber(body[one]))) {
    assert.equal(echoed[name], body[name], `${row.name} echoes ${name}`);
  }
}

/** Everything that a request with a fault could have moved. */
const look = () =>
  Promise.all([
    standingOf(payments, payment, payer, merchant),
    control.account(beneficiary),
    ...railServices.map(({ rail }) => moneyAt(control, rail, accountNo)),
  ]);

test("every operation that partners call stands here, but those for tokens", () => {
  const called = operationRows.filter(({ direction, kind }) => direction === "toProvider" && kind !== "token");
  assert.deepEqual(subjects.map(({ row }) => row.name).toSorted(), called.map(({ name }) => name).toSorted());
});

for (const { row, body } of subjects) {
  test(`${row.code}: every field that is missing, too long, of another type or form is named, and nothing is done`, async () => {
    const before = await look();
    for (const [name, field] of Object.entries(row.request)) {
      for (const [value, code] of faultsOf(field)) await expectFault(row, { ...body(), [name]: value }, code, name);
      const unfit = leavesOnRail(row, name) ? malformedNumbers : (malformed[name] ?? []);
      for (const value of unfit) await expectFault(row, { ...body(), [name]: value }, "01", name);
      if (field.type.kind !== "money") continue;
      for (const [money, code, member] of badMoney(field.presence)) {
        await expectFault(row, { ...body(), [name]: money }, code, `${name}.${member}`);
      }
    }
    if ("currency" in row.request && "amount" in row.request) {
      await expectFault(row, { ...body(), currency: "USD" }, "01", "currency");
    }
    assert.deepEqual(await look(), before);
  });
}

test("entries of originatorInfos are whole, or the first missing or malformed member is named with its place", async () => {
  const whole = { originatorCustomerNo: "1", originatorCustomerName: "A", originatorBankCode: "014" };
  const cases: readonly (readonly [entry: unknown, code: FaultCode, member: string])[] = [
    [{}, "02", ".originatorCustomerNo"],
    [{ ...whole, originatorCustomerName: "" }, "02", ".originatorCustomerName"],
    [{ ...whole, originatorBankCode: null }, "02", ".originatorBankCode"],
    [{ ...whole, originatorBankCode: "14" }, "01", ".originatorBankCode"],
    [{ ...whole, originatorCustomerNo: "1".repeat(35) }, "01", ".originatorCustomerNo"],
    [7, "01", ""],
    [null, "01", ""],
    [[], "01", ""],
  ];
  for (const { row, body } of transfers) {
    for (const [entry, code, member] of cases) {
      await expectFault(row, { ...body(), originatorInfos: [whole, entry] }, code, `originatorInfos[1]${member}`);
    }
    const tooMany = Array.from({ length: 101 }, () => whole);
    await expectFault(row, { ...body(), originatorInfos: tooMany }, "01", "originatorInfos");
  }
});

test("what 63 reads out of additionalInfo is named by its path", async () => {
  const faults: readonly (readonly [name: string, ...values: readonly unknown[]])[] = [
    ["sourceAccountNo", "1".repeat(20), 1_001_000_001, true, ["1001000001"], {}],
    ["validUpTo", "tomorrow", "2026-11-21", "2026-02-30T10:00:00+07:00", "2026-11-21 10:00:00", 1_800_000_000, {}],
    ["externalStoreId", "x".repeat(65), 7, false, []],
  ];
  const before = await look();
  for (const [name, ...values] of faults) {
    for (const value of values) {
      const body = paymentBody(merchant.merchantId, { additionalInfo: { ...additionalInfo, [name]: value } });
      await expectFault(operations.authPayment, body, "01", `additionalInfo.${name}`);
    }
  }
  assert.deepEqual(await look(), before);
});

test("a void that is not of all, without an amount, misses its amount", async () => {
  const before = await look();
  for (const flag of ["false", "FALSE"]) {
    const body = voidBody(payment, { voidRemainingAmount: flag });
    await expectFault(operations.authVoid, body, "02", "voidAmount");
    // Missing outranks malformed (D2).
    await expectFault(operations.authVoid, { ...body, reason: "x".repeat(257) }, "02", "voidAmount");
  }
  assert.deepEqual(await look(), before);
});

test("status inquiries (36, 53) without any of the three references miss the first of them", async () => {
  for (const { row } of statusInquiries) {
    for (const body of [
      { serviceCode: "18" },
      { serviceCode: "18", originalPartnerReferenceNo: "", originalReferenceNo: null, originalExternalId: "" },
      { serviceCode: "18", amount: idr("1.00"), transactionDate: "2026-11-21T10:00:00+07:00" },
      // Missing outranks malformed (D2).
      { serviceCode: "81", amount: null, transactionDate: "today" },
    ]) {
      await expectFault(row, body, "02", "originalPartnerReferenceNo");
    }
  }
});

test("missing outranks malformed, and of two the first of the table is named", async () => {
  const before = await look();
  const ofTransfers: readonly (readonly [fault: Json, code: FaultCode, field: string])[] = [
    [{ beneficiaryBankCode: "14", beneficiaryCustomerType: "" }, "02", "beneficiaryCustomerType"],
    [{ partnerReferenceNo: null, beneficiaryAccountName: undefined }, "02", "partnerReferenceNo"],
    [{ senderCustomerType: "9", transactionDate: "today" }, "01", "transactionDate"],
    [{ amount: { currency: "IDR" }, beneficiaryBankCode: "14" }, "02", "amount.value"],
  ];
  const ofCaptures: typeof ofTransfers = [
    [{ title: "", originalReferenceNo: "x".repeat(65), captureAmount: null }, "02", "title"],
    [{ title: undefined, partnerCaptureNo: null }, "02", "partnerCaptureNo"],
    [{ lastCapture: true, captureAmount: null }, "01", "captureAmount"],
    [{ title: "x".repeat(257), subMerchantId: "x".repeat(33) }, "01", "title"],
    [{ additionalInfo: [], captureAmount: { value: "1.00" } }, "02", "captureAmount.currency"],
  ];
  for (const { row, body } of batched) {
    for (const [fault, code, field] of ofTransfers) await expectFault(row, { ...body(), ...fault }, code, field);
  }
  for (const [fault, code, field] of ofCaptures) {
    await expectFault(operations.authCapture, captureBody(payment, fault), code, field);
  }
  assert.deepEqual(await look(), before);
});

test("nothing of what was faulty was recorded: no inquiry finds an attempt, and the audit finds nothing", async () => {
  let found = 0;
  const expectNone = async (path: string, code: string, query: Json) => {
    expectCode(await alpha.call(path, query), code);
    found += 1;
  };
  for (const { row, sent } of faulty) {
    const { partnerCaptureNo, partnerVoidNo, partnerBulkId, partnerReferenceNo = partnerBulkId } = sent;
    if (row.name === "authCapture" && isNumber(partnerCaptureNo)) {
      await expectNone(paths.captureQuery, "4046601", { ...queried, partnerCaptureNo });
    } else if (row.name === "authVoid" && isNumber(partnerVoidNo)) {
      await expectNone(paths.voidQuery, "4046801", { ...queried, partnerVoidNo });
    } else if (row.name === "authPayment" && isNumber(partnerReferenceNo)) {
      await expectNone(paths.query, "4046401", { originalPartnerReferenceNo: partnerReferenceNo });
    } else if (row.kind === "write" && isNumber(partnerReferenceNo)) {
      const query = { serviceCode: row.code, originalPartnerReferenceNo: partnerReferenceNo };
      await expectNone(statusPath, "4043601", query);
    }
  }
  assert.ok(found > 500, `${found} attempts were asked for`);
  assert.deepEqual(await control.audit(), { ok: true, findings: [] });
});
