import assert from "node:assert/strict";
import { test } from "node:test";
import { parseResponseCode, responseCases } from "@titian/contract";
import { createClient, isCallError, isSnapError, SnapError } from "../src/index.ts";
import { symmetric } from "./helpers/credentials.ts";
import { json, recordingFetch } from "./helpers/recording-fetch.ts";
import { rejection } from "./helpers/rejection.ts";
import { rejected, transfer } from "./helpers/transfer.ts";

const rejections = Object.entries(responseCases).filter(
  ([name, { status }]) => status >= 400 && name !== "invalidToken",
);

async function errorOf(response: () => Response): Promise<SnapError<"intrabankTransfer">> {
  const { fetch } = recordingFetch(response);
  const error = await rejection(createClient({ ...symmetric, fetch }).intrabankTransfer(transfer));
  assert.ok(isSnapError(error, "intrabankTransfer"));
  return error;
}

for (const [name, { status, case: caseCode }] of rejections) {
  test(`${status} ${caseCode} is thrown as ${name}`, async () => {
    const caseName = parseResponseCode(`${status}17${caseCode}`)?.caseName;
    assert.ok(caseName);
    const error = await errorOf(() => rejected(caseName));
    assert.equal(error.caseName, name);
    assert.equal(error.httpStatus, status);
    assert.equal(error.responseCode, `${status}17${caseCode}`);
    assert.equal(error.code, "ERR_SNAP_RESPONSE");
    assert.equal(error.operation, "intrabankTransfer");
    assert.equal(error.response.responseCode, error.responseCode);
  });
}

test("the message says what happened to which call", async () => {
  const error = await errorOf(() => rejected("insufficientFunds"));
  assert.equal(error.message, `intrabankTransfer: Insufficient Funds (4031714, X-EXTERNAL-ID ${error.externalId})`);
});

test("the error has the field, the reason and the time to wait", async () => {
  const missing = await errorOf(() => rejected("invalidMandatoryField", { field: "bulkObject[3].bankCode" }));
  assert.equal(missing.field, "bulkObject[3].bankCode");
  assert.equal(missing.reason, undefined);
  const header = await errorOf(() => rejected("invalidFieldFormat", { field: "X-TIMESTAMP" }));
  assert.equal(header.field, "X-TIMESTAMP");
  const unsigned = await errorOf(() => rejected("unauthorized", { reason: "Signature" }));
  assert.equal(unsigned.reason, "Signature");
  assert.equal(unsigned.field, undefined);
  const busy = await errorOf(() => rejected("tooManyRequests", { headers: { "Retry-After": "7" } }));
  assert.equal(busy.retryAfterMs, 7_000);
  const vague = await errorOf(() => rejected("tooManyRequests", { headers: { "Retry-After": "soon" } }));
  assert.equal(vague.retryAfterMs, undefined);
});

test("a rejection of another send has its field and reason, and says whose it is", async () => {
  const errorWith = (responseMessage: string) => errorOf(() => json(403, { responseCode: "4031715", responseMessage }));
  const late = await errorWith("Transaction Not Permitted. [Refund window] [Another send was rejected]");
  assert.deepEqual([late.reason, late.field, late.isOfAnotherSend], ["Refund window", undefined, true]);
  const malformed = await errorWith("Invalid Field Format amount.currency [Another send was rejected]");
  assert.deepEqual(
    [malformed.reason, malformed.field, malformed.isOfAnotherSend],
    [undefined, "amount.currency", true],
  );
  const plain = await errorWith("Transaction Not Permitted. [Another send was rejected]");
  assert.deepEqual([plain.reason, plain.isOfAnotherSend], [undefined, true]);
  const own = await errorWith("Transaction Not Permitted. [Refund window]");
  assert.deepEqual([own.reason, own.isOfAnotherSend], ["Refund window", false]);
});

test("the fields beside the envelope can be read", async () => {
  const fields = { partnerReferenceNo: transfer.partnerReferenceNo, amount: transfer.amount };
  const error = await errorOf(() => rejected("insufficientFunds", { fields }));
  assert.equal(error.response.partnerReferenceNo, transfer.partnerReferenceNo);
  assert.deepEqual(error.response.amount, transfer.amount);
});

test("a malformed echo is left out and the rejection stands", async () => {
  const fields = { partnerReferenceNo: transfer.partnerReferenceNo, amount: "10000", referenceNo: "" };
  const error = await errorOf(() => rejected("insufficientFunds", { fields }));
  assert.equal(error.caseName, "insufficientFunds");
  assert.equal(error.isFinal, true);
  assert.equal(error.response.amount, undefined);
  assert.equal(error.response.partnerReferenceNo, transfer.partnerReferenceNo);
});

test("a code of no table has no name, keeps its digits, and is not final", async () => {
  const error = await errorOf(() => json(403, { responseCode: "4031799", responseMessage: "Moon Phase" }));
  assert.equal(error.caseName, undefined);
  assert.equal(error.responseCode, "4031799");
  assert.equal(error.isFinal, false);
});

test("a path the provider does not know is rejected without a case", async () => {
  const error = await errorOf(() => json(404, { responseCode: "4040000", responseMessage: "Not Found" }));
  assert.equal(error.caseName, undefined);
  assert.equal(error.isFinal, true);
});

test("a not-found inquiry has its status", async () => {
  const fields = { latestTransactionStatus: "07" };
  const { fetch } = recordingFetch(() => rejected("transactionNotFound", { fields }, "36"));
  const client = createClient({ ...symmetric, fetch });
  const error = await rejection(client.statusInquiryBank({ serviceCode: "17", originalExternalId: "1" }));
  assert.ok(isSnapError(error, "statusInquiryBank"));
  assert.equal(error.response.latestTransactionStatus, "07");
  assert.equal(error.attempt, undefined);
});

test("a transfer in progress is a response with a case of its own", async () => {
  const { fetch } = recordingFetch(() => rejected("requestInProgress", { fields: { referenceNo: "R-1" } }));
  const response = await createClient({ ...symmetric, fetch }).intrabankTransfer(transfer);
  assert.equal(response.case, "requestInProgress");
  assert.equal(response.httpStatus, 202);
  assert.equal(response.referenceNo, "R-1");
});

test("the guards know class and operation", async () => {
  const error = await errorOf(() => rejected("insufficientFunds"));
  assert.ok(isCallError(error));
  assert.ok(isCallError(error, "intrabankTransfer"));
  assert.ok(!isCallError(error, "sknTransfer"));
  assert.ok(!isSnapError(error, "sknTransfer"));
  assert.ok(error instanceof SnapError);
  assert.ok(!isCallError(new Error("another")));
});
