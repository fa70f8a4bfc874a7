/** What is wrong with a request of 16, 18, 22, 23, 36 or 53 itself (spec D2, D5), field by field from the contract's rows, by plain HTTP. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { type OperationRow, operations } from "@titian/contract";
import { type Answer, type Json, newNumber } from "../../support/black-box/caller.ts";
import { badMoney, type FaultCode, faultsOf } from "../../support/black-box/field-faults.ts";
import { expectField, fieldsOf } from "../../support/black-box/payments/payment-fixture.ts";
import { moneyOf } from "../../support/black-box/rails/rail-money.ts";
import { startRailFixture } from "../../support/black-box/rails/rail-fixture.ts";
import { interbank, railServices, rtgs, skn } from "../../support/black-box/rails/rail-services.ts";
import { railBody } from "../../support/black-box/rails/rail-transfers.ts";
import { expectCode, idr, statusPath } from "../../support/black-box/transfers.ts";

const fixture = await startRailFixture();
after(() => fixture[Symbol.asyncDispose]());
const { alpha, control } = fixture;
await fixture.moveTo(fixture.at(0, "10:00:00"));
const payer = await fixture.newPayer();
const settled = await fixture.send(interbank, payer, {}, "2001800");
const inquiry = { serviceCode: "18", originalReferenceNo: settled.body["referenceNo"] };

interface Subject {
  readonly row: OperationRow;
  /** A request that would do or find something. */
  body(): Json;
}

const transfers: readonly Subject[] = [
  { row: operations.interbankTransfer, body: () => railBody(interbank, payer) },
  { row: operations.rtgsTransfer, body: () => railBody(rtgs, payer) },
  { row: operations.sknTransfer, body: () => railBody(skn, payer) },
];
const subjects: readonly Subject[] = [
  ...transfers,
  {
    row: operations.externalAccountInquiry,
    body: () => ({ beneficiaryAccountNo: "7001001001", beneficiaryBankCode: "014" }),
  },
  { row: operations.statusInquiryBank, body: () => inquiry },
  { row: operations.statusInquiryNonBank, body: () => inquiry },
];

/** What fields of these names do not take, beyond what no text does. */
const malformed: Readonly<Record<string, readonly string[]>> = {
  beneficiaryBankCode: [
    "14",
    "0145",
    "ABC",
    "cenaidja",
    "CENAIDJ",
    "CENAIDJAX",
    "CENAIDJAXX",
    "CENA1DJA",
    "01A",
    " 14",
  ],
  transactionDate: [
    "2026-11-21",
    "21-11-2026",
    "2026-11-21 10:00:00",
    "2026-11-21T10:00",
    "2026-02-30T10:00:00+07:00",
    "2026-11-21T25:00:00+07:00",
    "today",
  ],
  beneficiaryCustomerResidence: ["0", "3", "I"],
  senderCustomerResidence: ["0", "3", "I"],
  beneficiaryCustomerType: ["0", "4", "A"],
  senderCustomerType: ["0", "4", "A"],
  feeType: ["our", "ALL", "SHA ", "1,000", "1"],
  currency: ["idr", "XQX", "USD"],
  beneficiaryEmail: ["a", "a@", "@b", "a b@c", "a@b c", "a@b@"],
  serviceCode: ["15", "16", "21", "36", "53", "63", "75", "76", "7", "aa", "1８"],
  originalResponseCode: ["200180", "ABCDEFG", "20018 0"],
};

/** What was sent and rejected, to be asked for at the end. */
const faulty: { readonly row: OperationRow; readonly sent: Json }[] = [];

/** Sends a request with one fault: exact code and field, and only valid fields echoed. */
async function expectFault(row: OperationRow, body: Json, code: FaultCode, field: string): Promise<Answer> {
  const answer = await alpha.call(row.path, body);
  faulty.push({ row, sent: body });
  expectField(answer, `400${row.code}${code}`, field);
  for (const [name, value] of Object.entries(fieldsOf(answer))) {
    assert.deepEqual(value, body[name], `${row.name} echoes ${name} only as it was sent`);
    assert.ok(name !== "referenceNo" && name !== field, `${row.name} answers ${name}`);
  }
  return answer;
}

for (const { row, body } of subjects) {
  test(`${row.code}: every field that is missing, too long, of another type or form is named, and no money moves`, async () => {
    const watches = await Promise.all(railServices.map(({ rail }) => fixture.watch(rail, payer)));
    for (const [name, field] of Object.entries(row.request)) {
      for (const [value, code] of faultsOf(field)) await expectFault(row, { ...body(), [name]: value }, code, name);
      for (const value of malformed[name] ?? []) await expectFault(row, { ...body(), [name]: value }, "01", name);
      if (field.type.kind !== "money") continue;
      for (const [money, code, member] of badMoney(field.presence)) {
        await expectFault(row, { ...body(), [name]: money }, code, `${name}.${member}`);
      }
    }
    for (const moved of watches) assert.deepEqual(await moved(), moneyOf(interbank).none);
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

test("missing outranks malformed, and of two the first of the table is named", async () => {
  const cases: readonly (readonly [fault: Json, code: FaultCode, field: string])[] = [
    [{ beneficiaryBankCode: "14", beneficiaryCustomerType: "" }, "02", "beneficiaryCustomerType"],
    [{ partnerReferenceNo: null, beneficiaryAccountName: undefined }, "02", "partnerReferenceNo"],
    [{ senderCustomerType: "9", transactionDate: "today" }, "01", "transactionDate"],
    [{ amount: { currency: "IDR" }, beneficiaryBankCode: "14" }, "02", "amount.value"],
  ];
  for (const { row, body } of transfers.slice(1)) {
    for (const [fault, code, field] of cases) await expectFault(row, { ...body(), ...fault }, code, field);
  }
});

test("36 and 53 without any of the three references miss the first of them", async () => {
  for (const { row } of subjects.slice(4)) {
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

const wide = (length: number) => "🏦".repeat(length);

test("every optional field blank, or of its full length in characters, is accepted; what we do not know is ignored", async () => {
  const texts = { beneficiaryAddress: 100, beneficiaryBankName: 50, customerReference: 30, remark: 50 };
  const phones = { kodepos: 10, receiverPhone: 20, senderPhone: 20 };
  for (const service of railServices) {
    const optional = { ...texts, ...(service !== interbank && phones) };
    const names = [...Object.keys(optional), "beneficiaryEmail", "currency", "feeType", "originatorInfos"];
    const blank = Object.fromEntries(names.map((name) => [name, name === "originatorInfos" ? null : ""]));
    await fixture.send(
      service,
      payer,
      { ...blank, additionalInfo: null, unheardOf: { a: 1 } },
      `200${service.service}00`,
    );
    const full = Object.fromEntries(Object.entries(optional).map(([name, length]) => [name, wide(length)]));
    const own = {
      partnerReferenceNo: newNumber().padEnd(64, "é"),
      beneficiaryAccountNo: wide(34),
      beneficiaryAccountName: wide(100),
      beneficiaryEmail: `${wide(40)}@${wide(9)}`,
      currency: "IDR",
      originatorInfos: [
        { originatorCustomerNo: wide(34), originatorCustomerName: wide(100), originatorBankCode: "CENAIDJAXXX" },
      ],
      additionalInfo: { k: [wide(1)] },
    };
    const answer = await fixture.send(service, payer, { ...full, ...own }, `200${service.service}00`);
    const { partnerReferenceNo, beneficiaryAccountNo, customerReference, originatorInfos, additionalInfo } =
      answer.body;
    assert.deepEqual(
      { partnerReferenceNo, beneficiaryAccountNo, customerReference, originatorInfos, additionalInfo },
      {
        partnerReferenceNo: own.partnerReferenceNo,
        beneficiaryAccountNo: own.beneficiaryAccountNo,
        customerReference: wide(30),
        originatorInfos: own.originatorInfos,
        additionalInfo: own.additionalInfo,
      },
    );
  }
});

test("nothing of what was faulty was recorded, and the audit finds nothing", async () => {
  let asked = 0;
  for (const { row, sent } of faulty) {
    const number = sent["partnerReferenceNo"];
    if (row.kind !== "write" || typeof number !== "string" || !/^\d{1,64}$/.test(number)) continue;
    const answer = await alpha.call(statusPath, { serviceCode: row.code, originalPartnerReferenceNo: number });
    expectCode(answer, "4043601");
    asked += 1;
  }
  assert.ok(asked > 300, `${asked} attempts were asked for`);
  assert.deepEqual(await control.audit(), { ok: true, findings: [] });
});
