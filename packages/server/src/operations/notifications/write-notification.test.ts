import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import vectors from "../../../../../vectors/notification-bodies.json" with { type: "json" };
import { fromReferenceNo, newId } from "../../basics/ids.ts";
import type { ItemResult } from "../../store/reads/bulk-results.ts";
import { packFreeForm } from "../free-form.ts";
import { createNotificationWriter } from "./write-notification.ts";

const number = "01JD7K3M9QZ8V2X4B6N8P0R2T4";
const [id, partner] = [fromReferenceNo(number) ?? assert.fail(), newId()];
const request = {
  partnerReferenceNo: "TRF/1",
  partnerBulkId: "BULK-2026-11",
  beneficiaryAccountName: 'Siti "Nur" Aini',
  beneficiaryAccountNo: "7001001001",
  beneficiaryBankCode: "014",
  sourceAccountNo: "1001000001",
  transactionDate: "2026-11-21T10:00:00+07:00",
  amount: { value: "150000000", currency: "IDR" },
};
const results: readonly ItemResult[] = [
  { partnerReferenceNo: "PAY-2", rejection: undefined },
  { partnerReferenceNo: "PAY-1", rejection: "rejectedByRail" },
];
/** Service code of what a notification is about. */
const subjects: Readonly<Record<number, number>> = { 21: 20, 75: 23, 76: 22 };

interface Source {
  readonly service?: number;
  readonly status?: string;
  readonly bodyVersion?: number;
  readonly partnerId?: string;
  /** As the request gave it. */
  readonly additionalInfo?: string | null;
}

/** The body of a notification about the transfer, or bulk, of that request. */
async function bodyOf({ service = 76, status = "00", bodyVersion = 2, ...source }: Source): Promise<string> {
  const { partnerId = "SHOP01", additionalInfo = null } = source;
  const parts = new Map(additionalInfo === null ? [] : [["additionalInfo", Buffer.from(additionalInfo)]]);
  const record = {
    id,
    partner,
    service: subjects[service] ?? 0,
    externalId: "41807553358950093184162180797838",
    payload: JSON.stringify({ request }),
    freeForm: packFreeForm(parts),
    at: 0,
    partnerReferenceKey: "",
    bodyHash: "",
    requestFingerprint: "",
  };
  const write = createNotificationWriter({
    findRequest: async () => record,
    findTransfer: async () => ({ rejection: "unknownBeneficiary" }),
    listItemResults: async () => results,
  });
  const body = await write({ id: newId(), partner, service, subject: id, status, bodyVersion }, partnerId);
  return Buffer.from(body).toString("utf8");
}

for (const { name, body, sha256, ...source } of vectors.bodies) {
  test(`vector: ${name}`, async () => {
    assert.equal(await bodyOf(source), body);
    assert.equal(createHash("sha256").update(body).digest("hex"), sha256);
  });
}

test("our members win over those of the same name in the request, and only where we have them", async () => {
  const additionalInfo = '{"rejection":1,"partnerId":"beta","value":2}';
  const infoOf = async (source: Source) => JSON.parse(await bodyOf({ additionalInfo, ...source })).additionalInfo;
  const rejection = {
    responseCode: "4042211",
    responseMessage: "Invalid Card/Account/Customer/Virtual Account [Unknown beneficiary account]",
  };
  assert.deepEqual(await infoOf({}), { partnerId: "SHOP01", rejection: 1, value: 2 });
  assert.deepEqual(await infoOf({ status: "06" }), { partnerId: "SHOP01", rejection, value: 2 });
  assert.deepEqual(await infoOf({ service: 21 }), { partnerId: "SHOP01" });
});

test("a notification that a release before wrote keeps its body: keys and numbers as they were, and no partnerId", async () => {
  const body = (more: string, status = "00") =>
    `{"originalPartnerReferenceNo":"TRF/1","originalReferenceNo":"${number}",` +
    `"originalExternalId":"41807553358950093184162180797838","latestTransactionStatus":"${status}",` +
    '"beneficiaryAccountName":"Siti \\"Nur\\" Aini","beneficiaryAccountNo":"7001001001","beneficiaryBankCode":"014",' +
    '"sourceAccountNo":"1001000001","transactionDate":"2026-11-21T10:00:00+07:00",' +
    `"amount":{"value":"150000000.00","currency":"IDR"}${more}}`;
  const first = (source: Source) => bodyOf({ ...source, bodyVersion: 1 });
  for (const none of ["{}", "[1]", '"text"', null]) assert.equal(await first({ additionalInfo: none }), body(""));
  assert.equal(
    await first({ additionalInfo: '{"b": 1.0, "a": 12345678901234567890}', status: "06" }),
    body(
      ',"additionalInfo":{"b":1,"a":12345678901234567000,"rejection":{"responseCode":"4042211",' +
        '"responseMessage":"Invalid Card/Account/Customer/Virtual Account [Unknown beneficiary account]"}}',
      "06",
    ),
  );
  assert.equal(
    await first({ service: 21 }),
    `{"bulkId":"${number}","partnerBulkId":"BULK-2026-11","bulkObject":[` +
      '{"partnerReferenceNo":"PAY-2","responseCode":"2002000","responseMessage":"Successful"},' +
      '{"partnerReferenceNo":"PAY-1","responseCode":"4032005","responseMessage":"Do Not Honor"}]}',
  );
});

test("no member of the request names a partner, in any case of its letters: readers that ignore it would take it", async () => {
  const additionalInfo =
    '{"partnerid":"beta","PARTNERID":"beta","\\u0070artnerId":"beta","inner":{"partnerId":"kept"}}';
  const info = '{"additionalInfo":{"inner":{"partnerId":"kept"},"partnerId":"SHOP01"},';
  assert.ok((await bodyOf({ additionalInfo })).startsWith(info));
  // Else it could have been prepared before the upgrade, to be sent after it.
  assert.equal(await bodyOf({ additionalInfo, bodyVersion: 1 }), await bodyOf({ additionalInfo }));
});
