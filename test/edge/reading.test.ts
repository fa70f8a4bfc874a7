/** Reading requests as spec D5 says, seen from the wire; the readers' own tests are in the contract. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { OperationName } from "@titian/contract";
import type { Handler } from "../../packages/server/src/interfaces/call.ts";
import { startEdge, transfer } from "../support/edge/start-edge.ts";

const succeed: Handler = () => Promise.resolve({ case: "success" });
const handlers = {
  authPayment: succeed,
  authCapture: succeed,
  interbankBulkTransfer: succeed,
} satisfies Partial<Record<OperationName, Handler>>;

const payment = { partnerReferenceNo: "P", merchantId: "M", title: "T" };
const capture = {
  originalReferenceNo: "R",
  originalPartnerReferenceNo: "P",
  merchantId: "M",
  partnerCaptureNo: "C",
  title: "T",
};
const item = {
  partnerReferenceNo: "I",
  bankCode: "014",
  beneficiaryAccountNo: "1",
  beneficiaryAccountName: "Siti",
  amount: {
    value: "1.00",
    currency: "IDR",
  },
};
const bulk = {
  customerReference: "B",
  sourceAccountNo: "1",
  transactionDate: "2026-11-21T10:00:00",
  bulkObject: [item],
};

const ok = "00 Successful";
const malformed = (field: string) => `01 Invalid Field Format ${field}`;
const missing = (field: string) => `02 Invalid Mandatory Field ${field}`;
const money = (value: unknown) => ({ amount: { value, currency: "IDR" } });

const originator = { originatorCustomerNo: "1", originatorCustomerName: "A", originatorBankCode: "014" };

/** Operation, body, case code and message. */
const rows: readonly (readonly [OperationName, Readonly<Record<string, unknown>>, string])[] = [
  // Lengths and formats
  ["intrabankTransfer", { ...transfer, beneficiaryAccountNo: "1".repeat(34) }, ok],
  ["intrabankTransfer", { ...transfer, beneficiaryAccountNo: "1".repeat(35) }, malformed("beneficiaryAccountNo")],
  ["intrabankTransfer", { ...transfer, sourceAccountNo: "1".repeat(20) }, malformed("sourceAccountNo")],
  ["intrabankTransfer", { ...transfer, partnerReferenceNo: "✓".repeat(64) }, ok],
  ["intrabankTransfer", { ...transfer, partnerReferenceNo: "✓".repeat(65) }, malformed("partnerReferenceNo")],
  ["intrabankTransfer", { ...transfer, remark: "a\u0000b" }, malformed("remark")],
  ["intrabankTransfer", { ...transfer, feeType: "FREE" }, malformed("feeType")],
  ["statusInquiryBank", { serviceCode: "17", originalExternalId: "1".repeat(36) }, ok],
  ["statusInquiryBank", { serviceCode: "15", originalExternalId: "1" }, malformed("serviceCode")],
  ["statusInquiryBank", { serviceCode: "15" }, missing("originalPartnerReferenceNo")],
  ["authPayment", { ...payment, items: ["any", { json: 1 }] }, ok],
  // Absent, empty and null
  ["intrabankTransfer", { ...transfer, remark: "a\u202eb" }, malformed("remark")],
  [
    "intrabankTransfer",
    { ...transfer, originatorInfos: [{ ...originator, originatorCustomerName: "a\u0085" }] },
    malformed("originatorInfos[0].originatorCustomerName"),
  ],
  ["intrabankTransfer", { ...transfer, remark: "" }, ok],
  ["intrabankTransfer", { ...transfer, remark: "   ", additionalInfo: "" }, ok],
  ["intrabankTransfer", { ...transfer, partnerReferenceNo: " \t" }, missing("partnerReferenceNo")],
  [
    "intrabankTransfer",
    { ...transfer, originatorInfos: [{ ...originator, originatorBankCode: " " }] },
    missing("originatorInfos[0].originatorBankCode"),
  ],
  ["intrabankTransfer", { ...transfer, remark: null, additionalInfo: null }, ok],
  ["intrabankTransfer", { ...transfer, partnerReferenceNo: "" }, missing("partnerReferenceNo")],
  ["intrabankTransfer", { ...transfer, partnerReferenceNo: null }, missing("partnerReferenceNo")],
  ["intrabankTransfer", { ...transfer, partnerReferenceNo: 125 }, malformed("partnerReferenceNo")],
  // Money: a null must not capture everything
  ["authCapture", { ...capture }, ok],
  ["authCapture", { ...capture, captureAmount: null }, malformed("captureAmount")],
  ["authCapture", { ...capture, captureAmount: "" }, malformed("captureAmount")],
  ["authCapture", { ...capture, captureAmount: { value: "", currency: "IDR" } }, malformed("captureAmount.value")],
  ["authCapture", { ...capture, captureAmount: { value: null, currency: "IDR" } }, malformed("captureAmount.value")],
  ...["10000", "10000.0", "10000.00", "0"].map(
    (value) => ["intrabankTransfer", { ...transfer, ...money(value) }, ok] as const,
  ),
  ...["-1", "+1", "1e3", "1.000", "1,00", ".5", "1.", " 1", "0x1", "1".repeat(17), 10_000, true].map(
    (value) => ["intrabankTransfer", { ...transfer, ...money(value) }, malformed("amount.value")] as const,
  ),
  ["intrabankTransfer", { ...transfer, amount: { value: "1.00" } }, missing("amount.currency")],
  ["intrabankTransfer", { ...transfer, amount: { value: "1.00", currency: "XXX" } }, malformed("amount.currency")],
  ["intrabankTransfer", { ...transfer, currency: "USD" }, malformed("currency")],
  // Flags
  ["authCapture", { ...capture, lastCapture: "TRUE" }, ok],
  ["authCapture", { ...capture, lastCapture: "False" }, ok],
  ["authCapture", { ...capture, lastCapture: true }, malformed("lastCapture")],
  ["authCapture", { ...capture, lastCapture: "yes" }, malformed("lastCapture")],
  // Timestamps
  ["intrabankTransfer", { ...transfer, transactionDate: "2026-11-21T10:00:00" }, ok],
  ["intrabankTransfer", { ...transfer, transactionDate: "2026-11-21T03:00:00.123Z" }, ok],
  ["intrabankTransfer", { ...transfer, transactionDate: "2026-02-29T10:00:00+07:00" }, malformed("transactionDate")],
  ["intrabankTransfer", { ...transfer, transactionDate: "2026-11-21" }, malformed("transactionDate")],
  // Objects and lists
  ["intrabankTransfer", { ...transfer, unknown: { extra: 1 } }, ok],
  ["intrabankTransfer", { ...transfer, additionalInfo: "text" }, ok],
  [
    "intrabankTransfer",
    { ...transfer, originatorInfos: [{ originatorCustomerNo: "1", originatorCustomerName: "A" }] },
    missing("originatorInfos[0].originatorBankCode"),
  ],
  ["interbankBulkTransfer", bulk, ok],
  ["interbankBulkTransfer", { ...bulk, bulkObject: [] }, malformed("bulkObject")],
  ["interbankBulkTransfer", { ...bulk, bulkObject: Array(10_001).fill(item) }, malformed("bulkObject")],
  [
    "interbankBulkTransfer",
    { ...bulk, bulkObject: [item, item, item, { ...item, bankCode: "14" }] },
    malformed("bulkObject[3].bankCode"),
  ],
];

test("fields are read as spec D5 says, and the answer names the faulty one", async (t) => {
  const edge = await startEdge(t, { handlers });
  for (const [operation, fields, expected] of rows) {
    const body = JSON.stringify(fields);
    const { code, message } = await edge.send({ operation, body });
    assert.equal(`${code.slice(5)} ${message}`, expected, `${operation} ${body.slice(0, 300)}`);
  }
});

test("bodies that two readers would read differently, or that are no JSON object, are 400xx00", async (t) => {
  const edge = await startEdge(t, { handlers });
  const text = JSON.stringify(transfer);
  const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
  const bodies: readonly (readonly [string, ...(string | Buffer)[]])[] = [
    ["Not JSON", "", " ", "{", text.slice(0, -1), `${text}x`, `${text}${text}`, "{'a':1}", "a=1", "[".repeat(30_000)],
    ["Not an object", "null", "1", '"text"', "[]"],
    ["Duplicate key", text.replace("{", '{"amount":1,'), text.replace("{", '{"additionalInfo":{"a":1,"\\u0061":2},')],
    ["Forbidden key", text.replace("{", '{"__proto__":{},'), text.replace("{", '{"additionalInfo":{"__proto__":{}},')],
    ["Lone surrogate", text.replace("T-0001", "\\ud800")],
    ["Too deep", text.replace("{", `{"additionalInfo":${nested(17)},`)],
    ["Not UTF-8", Buffer.from(text.replace("T-0001", "caf\u00e9"), "latin1")],
    ["Byte order mark", Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(text)])],
    ["Not JSON", Buffer.from(text, "utf16le")],
  ];
  for (const [reason, ...spellings] of bodies) {
    for (const body of spellings) {
      const { fields } = await edge.send({ body });
      const expected = { responseCode: "4001700", responseMessage: `Bad Request [${reason}]` };
      assert.deepEqual(fields, expected, body.toString().slice(0, 80));
    }
  }
  assert.equal(edge.calls.length, 0);
});

test("the operation gets the fields as they are read, and the bytes of free-form ones as they came", async (t) => {
  const edge = await startEdge(t, { handlers });
  const given = '{ "n": 1.0, "big": 12345678901234567890 }';
  const body = `{"additionalInfo":${given},"remark":"","unknown":1,${JSON.stringify({ ...capture, lastCapture: "TRUE" }).slice(1)}`;
  await edge.send({ operation: "authCapture", body });
  const [call] = edge.calls;
  assert.deepEqual(
    Object.keys(call?.request ?? {}).sort(),
    [...Object.keys(capture), "additionalInfo", "lastCapture"].sort(),
  );
  assert.equal(call?.request["lastCapture"], "true");
  assert.equal(Buffer.from(call?.freeForm.get("additionalInfo") ?? []).toString(), given);
  assert.equal(call?.operation.code, "65");
  assert.equal(call?.externalId, "41807553358950093184");
});
