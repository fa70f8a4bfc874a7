import assert from "node:assert/strict";
import { test } from "node:test";
import { type OperationRow, operations } from "../operations.ts";
import { readRequest } from "./read-request.ts";

const transfer = operations.intrabankTransfer.example.request;
const read = (changes: Record<string, unknown>) =>
  readRequest(operations.intrabankTransfer, { ...transfer, ...changes });

test("a body that is no object is a bad request", () => {
  for (const json of [undefined, null, [], "{}", 5, true]) {
    assert.deepEqual(readRequest(operations.intrabankTransfer, json), { ok: false, case: "badRequest", valid: {} });
  }
});

test("any missing mandatory field outranks any malformed one, then table order decides", () => {
  const first = (changes: Record<string, unknown>): string | undefined => {
    const result = read(changes);
    return result.ok ? undefined : `${result.case} ${result.field}`;
  };
  assert.equal(first({ partnerReferenceNo: 5, transactionDate: "" }), "invalidMandatoryField transactionDate");
  assert.equal(first({ partnerReferenceNo: 5, amount: {} }), "invalidMandatoryField amount.value");
  assert.equal(
    first({ partnerReferenceNo: 5, originatorInfos: [{}] }),
    "invalidMandatoryField originatorInfos[0].originatorCustomerNo",
  );
  assert.equal(first({ amount: null, transactionDate: undefined }), "invalidMandatoryField transactionDate");
  assert.equal(first({ transactionDate: undefined, amount: undefined }), "invalidMandatoryField amount");
  assert.equal(first({ remark: 5, sourceAccountNo: 5 }), "invalidFieldFormat sourceAccountNo");
  assert.equal(first({ currency: "USD", remark: 5 }), "invalidFieldFormat remark");
  assert.equal(first({ currency: "USD" }), "invalidFieldFormat currency");
});

test("a field that only this request needs is missing in its place of the table, before anything malformed", () => {
  const first = (row: OperationRow, json: Record<string, unknown>): string | undefined => {
    const result = readRequest(row, json);
    return result.ok ? undefined : `${result.case} ${result.field}`;
  };
  const tooLong = "x".repeat(65);
  for (const row of [operations.statusInquiryBank, operations.statusInquiryNonBank]) {
    const needed = "invalidMandatoryField originalPartnerReferenceNo";
    assert.equal(first(row, { serviceCode: "18" }), needed);
    assert.equal(first(row, { serviceCode: "99", transactionDate: "today" }), needed);
    assert.equal(first(row, { serviceCode: "18", originalReferenceNo: "", amount: { value: "1" } }), needed);
    assert.equal(first(row, { originalExternalId: null }), "invalidMandatoryField serviceCode");
    // One that is there and malformed is not missing.
    const malformed = { serviceCode: "18", originalReferenceNo: tooLong };
    assert.equal(first(row, malformed), "invalidFieldFormat originalReferenceNo");
    assert.equal(first(row, { serviceCode: "18", originalExternalId: "1" }), undefined);
  }
  const { voidAmount: _, ...all } = operations.authVoid.example.request;
  const part = { ...all, voidRemainingAmount: "FALSE" };
  assert.equal(first(operations.authVoid, part), "invalidMandatoryField voidAmount");
  assert.equal(first(operations.authVoid, { ...part, merchantId: 5 }), "invalidMandatoryField voidAmount");
  assert.equal(first(operations.authVoid, { ...part, partnerVoidNo: "" }), "invalidMandatoryField partnerVoidNo");
  assert.equal(first(operations.authVoid, { ...part, voidAmount: null }), "invalidFieldFormat voidAmount");
  assert.equal(
    first(operations.authVoid, { ...all, voidRemainingAmount: false }),
    "invalidFieldFormat voidRemainingAmount",
  );
});

test("absent optionals and unknown members are left out of the value", () => {
  const result = read({ remark: "", feeType: null, beneficiaryEmail: undefined, additionalInfo: null, unknown: 1 });
  const { remark: _, feeType: __, ...rest } = transfer;
  assert.deepEqual(result, { ok: true, value: rest });
  const money = read({ amount: { value: "5", currency: "IDR", unknown: 1 } });
  assert.ok(money.ok);
  assert.deepEqual(money.value.amount, { value: "5", currency: "IDR" });
});

test("the valid fields of a rejected request are returned, without the faulty ones", () => {
  const result = read({ amount: null, remark: 5, unknown: 1 });
  const { amount: _, remark: __, ...valid } = transfer;
  assert.deepEqual(result, { ok: false, case: "invalidFieldFormat", field: "amount", valid });
});

test("amounts have up to 16 digits before the point and up to two decimals", () => {
  for (const value of ["0", "00", "1", "1.5", "1.50", "9999999999999999.99", "007"]) {
    assert.ok(read({ amount: { value, currency: "IDR" } }).ok, value);
  }
});

test("an optional amount that was given must hold a value, so that a null captures nothing", () => {
  const capture = operations.authCapture.example.request;
  const fieldOf = (captureAmount: unknown): string | undefined => {
    const result = readRequest(operations.authCapture, { ...capture, captureAmount });
    return result.ok ? undefined : `${result.case} ${result.field}`;
  };
  assert.equal(fieldOf(undefined), undefined);
  assert.equal(fieldOf(null), "invalidFieldFormat captureAmount");
  assert.equal(fieldOf(""), "invalidFieldFormat captureAmount");
  assert.equal(fieldOf({ value: "", currency: "IDR" }), "invalidFieldFormat captureAmount.value");
  assert.equal(fieldOf({ value: null, currency: "IDR" }), "invalidFieldFormat captureAmount.value");
  assert.equal(fieldOf({ currency: "IDR" }), "invalidFieldFormat captureAmount.value");
  assert.equal(fieldOf({ value: "1" }), "invalidMandatoryField captureAmount.currency");
});

test("true and false are read in any case; a JSON boolean is rejected", () => {
  const capture = operations.authCapture.example.request;
  for (const lastCapture of ["true", "TRUE", "True", "tRuE"]) {
    const result = readRequest(operations.authCapture, { ...capture, lastCapture });
    assert.ok(result.ok && result.value.lastCapture === "true", lastCapture);
  }
  for (const lastCapture of [true, "yes", "1", " true"]) {
    const result = readRequest(operations.authCapture, { ...capture, lastCapture });
    assert.ok(!result.ok && result.field === "lastCapture", String(lastCapture));
  }
});

test("banks are 3 digits, BIC-8 or BIC-11", () => {
  const interbank = operations.interbankTransfer.example.request;
  const accepts = (beneficiaryBankCode: string): boolean =>
    readRequest(operations.interbankTransfer, { ...interbank, beneficiaryBankCode }).ok;
  for (const code of ["014", "CENAIDJA", "CENAIDJAXXX", "BOFAID2X"]) assert.ok(accepts(code), code);
  for (const code of ["14", "0140", "cenaidja", "CENAIDJ", "CENAIDJAXX", "CENA12JA", "014\n"])
    assert.ok(!accepts(code), code);
});

test("e-mail addresses have one @ with something on both sides, and no white space", () => {
  for (const beneficiaryEmail of ["a@b", "siti.nur+1@mail.example.co.id"]) assert.ok(read({ beneficiaryEmail }).ok);
  for (const beneficiaryEmail of ["a", "@b", "a@", "a@b@c", "a b@c", "a@b\u0000", `${"a".repeat(50)}@b`]) {
    assert.ok(!read({ beneficiaryEmail }).ok, beneficiaryEmail);
  }
});

test("an e-mail address is read without blanks around it, and a dash is none", () => {
  const emailOf = (beneficiaryEmail: string) => {
    const result = read({ beneficiaryEmail });
    assert.ok(result.ok, beneficiaryEmail);
    return "beneficiaryEmail" in result.value ? result.value.beneficiaryEmail : "absent";
  };
  for (const given of ["siti@work.example.co.id ", "  siti@work.example.co.id", "siti@work.example.co.id\u00a0"]) {
    assert.equal(emailOf(given), "siti@work.example.co.id");
  }
  assert.equal(emailOf(` ${"a".repeat(48)}@b `), `${"a".repeat(48)}@b`);
  for (const given of ["-", " - ", "", "  "]) assert.equal(emailOf(given), "absent");
  for (const beneficiaryEmail of ["--", "-a", "a@b\n", "\ta@b", "-\n"]) assert.ok(!read({ beneficiaryEmail }).ok);
});

test("account numbers that leave on a rail have letters, digits, dashes, points and slashes, and blanks within", () => {
  const item = operations.interbankBulkTransfer.example.request.bulkObject[0];
  const rows = [
    [operations.interbankTransfer, "beneficiaryAccountNo"],
    [operations.rtgsTransfer, "beneficiaryAccountNo"],
    [operations.sknTransfer, "beneficiaryAccountNo"],
    [operations.interbankBulkTransfer, "bulkObject[0].beneficiaryAccountNo"],
  ] as const;
  for (const [row, field] of rows) {
    const faultOf = (beneficiaryAccountNo: string) => {
      const bulkObject = [{ ...item, beneficiaryAccountNo }];
      const changes = field === "beneficiaryAccountNo" ? { beneficiaryAccountNo } : { bulkObject };
      const result = readRequest(row, { ...row.example.request, ...changes });
      return result.ok ? undefined : `${result.case} ${result.field}`;
    };
    for (const good of ["1", "0012-34.567/8", "ID12 bank 0034", "-./", "a".repeat(34)])
      assert.equal(faultOf(good), undefined);
    const bad = [
      "8801 ",
      " 8801",
      "88_01",
      "88:01",
      "88,01",
      "88+01",
      "é",
      "８８",
      "88\u00a001",
      "'8801",
      "a".repeat(35),
    ];
    for (const one of bad) assert.equal(faultOf(one), `invalidFieldFormat ${field}`, one);
  }
  const own = { ...operations.intrabankTransfer.example.request, beneficiaryAccountNo: "our:1_é" };
  assert.ok(readRequest(operations.intrabankTransfer, own).ok);
});

test("a bulk holds 1 to 10,000 items, one currency, and names the item at fault", () => {
  const request = operations.interbankBulkTransfer.example.request;
  const item = request.bulkObject[0];
  const fieldOf = (changes: Record<string, unknown>): string | undefined => {
    const result = readRequest(operations.interbankBulkTransfer, { ...request, ...changes });
    return result.ok ? undefined : `${result.case} ${result.field}`;
  };
  assert.equal(fieldOf({ bulkObject: Array.from({ length: 10_000 }, () => item) }), undefined);
  assert.equal(fieldOf({ bulkObject: Array.from({ length: 10_001 }, () => item) }), "invalidFieldFormat bulkObject");
  assert.equal(fieldOf({ bulkObject: [] }), "invalidFieldFormat bulkObject");
  assert.equal(
    fieldOf({ bulkObject: [item, { ...item, bankCode: "" }] }),
    "invalidMandatoryField bulkObject[1].bankCode",
  );
  assert.equal(
    fieldOf({ bulkObject: [item, { ...item, bankCode: "x" }] }),
    "invalidFieldFormat bulkObject[1].bankCode",
  );
  const foreign = { ...item, amount: { value: "1.00", currency: "USD" } };
  assert.equal(fieldOf({ bulkObject: [item, item, foreign] }), "invalidFieldFormat bulkObject[2].amount.currency");
  assert.equal(fieldOf({ bulkObject: [item, foreign], currency: "" }), undefined);
});

test("up to 100 originators are read, each whole", () => {
  const [originator] = transfer.originatorInfos ?? [];
  assert.ok(read({ originatorInfos: [] }).ok);
  assert.ok(read({ originatorInfos: Array.from({ length: 100 }, () => originator) }).ok);
  const result = read({ originatorInfos: Array.from({ length: 101 }, () => originator) });
  assert.ok(!result.ok && result.case === "invalidFieldFormat" && result.field === "originatorInfos");
});
