// Goal: the entries of a bulk notification (21) are taken as the specification lists them, with three fields, and as the
// standard does, with nine.
import assert from "node:assert/strict";
import { test } from "node:test";
import { bulk, bulkPath, deliver, sign, testReceiver } from "../helpers/provider.ts";

const path = bulkPath;
const result = { responseCode: "2000000", responseMessage: "Successful" };
const nine = {
  originalReferenceNo: "01JD7K9N2P3Q4R5S6T7V8W9X0Z",
  originalPartnerReferenceNo: "PAY-0001",
  ...result,
  amount: { value: "1500000.00", currency: "IDR" },
  beneficiaryAccountNo: "7001001001",
  beneficiaryBankCode: "014",
  sourceAccountNo: "1001000001",
  traceNo: "000000000001",
};

async function receive(...bulkObject: readonly object[]) {
  const { receiver, handled } = testReceiver();
  const { body } = await deliver(receiver, sign({ ...bulk, bulkObject }, { path }));
  const [got] = handled as { readonly bulkObject: readonly object[] }[];
  return { answer: `${String(body["responseCode"])} ${String(body["responseMessage"])}`, entries: got?.bulkObject };
}

test("nine fields, three fields and the mandatory ones alone, in one list", async () => {
  const three = { partnerReferenceNo: "PAY-0002", ...result };
  const mandatory = { ...result, beneficiaryAccountNo: "7001001001", sourceAccountNo: "1001000001" };
  const { answer, entries } = await receive(nine, three, { ...mandatory, originalReferenceNo: "R-3" });
  assert.equal(answer, "2002100 Successful");
  const { originalPartnerReferenceNo: partnerReferenceNo, ...others } = nine;
  assert.deepEqual(entries, [{ ...others, partnerReferenceNo }, three, { ...mandatory, originalReferenceNo: "R-3" }]);
});

test("a blank optional field of the standard's samples counts as absent", async () => {
  const { answer, entries } = await receive({ ...nine, traceNo: "", originalReferenceNo: "" });
  assert.equal(answer, "2002100 Successful");
  assert.deepEqual(
    Object.keys(entries?.[0] ?? {}).filter((name) => /trace|originalReference/.test(name)),
    [],
  );
});

const number = "bulkObject[1].originalPartnerReferenceNo";
const faulty: readonly (readonly [name: string, entry: object, answer: string])[] = [
  ["names no transfer", result, `4002102 Invalid Mandatory Field ${number}`],
  ["names two", { ...nine, partnerReferenceNo: "PAY-9" }, `4002101 Invalid Field Format ${number}`],
  ["has no code", { ...nine, responseCode: "" }, "4002102 Invalid Mandatory Field bulkObject[1].responseCode"],
  ["has a malformed amount", { ...nine, amount: 1 }, "4002101 Invalid Field Format bulkObject[1].amount"],
];
for (const [name, entry, expected] of faulty) {
  test(`an entry that ${name}: nothing is handled`, async () => {
    assert.deepEqual(await receive(nine, entry), { answer: expected, entries: undefined });
  });
}
