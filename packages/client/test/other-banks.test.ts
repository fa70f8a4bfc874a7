// Transfers that leave the bank,: 202, rejections by the rail, repeats, inquiries (D7, D11, D15).
import assert from "node:assert/strict";
import { test } from "node:test";
import { type CaseName, operations } from "@titian/contract";
import { createClient, createMemoryAttempts, isOutcomeUnknown, isSnapError } from "../src/index.ts";
import { symmetric } from "./helpers/credentials.ts";
import { json, recordingFetch } from "./helpers/recording-fetch.ts";
import { rejection } from "./helpers/rejection.ts";
import { rejected } from "./helpers/transfer.ts";
import { payOtherBank } from "./readme/pay-other-bank.ts";

const { externalAccountInquiry, interbankTransfer, rtgsTransfer, sknTransfer } = operations;
const { request, response } = interbankTransfer.example;
const silence = (): never => {
  throw new TypeError("fetch failed");
};

/** A client that receives the responses in order, the last one repeatedly. */
function clientReceiving(...responses: readonly (() => Response)[]) {
  const { fetch, calls } = recordingFetch((_sent, call) => (responses[call - 1] ?? responses.at(-1) ?? silence)());
  return { client: createClient({ ...symmetric, fetch }), calls };
}

const code = (row: { readonly code: string }, caseName: CaseName, fields: Readonly<Record<string, unknown>> = {}) =>
  rejected(caseName, { fields }, row.code);
const settled = () => json(200, response);
/** Neither its envelope nor the rail's number, which a transfer that is not final does not have. */
const { responseCode: _, responseMessage: __, traceNo: ___, ...untraced } = response;
const inProgress = () => code(interbankTransfer, "requestInProgress", untraced);

/** The response to a repeat of a transfer whose first response was 202 or lost. */
const conflict = (latestTransactionStatus: string) => () => {
  const originalResponse = { ...untraced, responseCode: "2021800", responseMessage: "Request In Progress" };
  return code(interbankTransfer, "conflict", { additionalInfo: { originalResponse, latestTransactionStatus } });
};

test("202 is a response with a case of its own and the referenceNo for status inquiries", async () => {
  const { client } = clientReceiving(inProgress);
  const result = await client.interbankTransfer(request);
  assert.equal(result.case, "requestInProgress");
  assert.equal(result.httpStatus, 202);
  assert.equal(result.referenceNo, response.referenceNo);
  assert.equal(result.traceNo, undefined);
});

test("a settled transfer has the rail's number of it", async () => {
  const { client } = clientReceiving(settled);
  const result = await client.interbankTransfer(request);
  assert.deepEqual([result.case, result.traceNo], ["success", response.traceNo]);
});

for (const [row, send] of [
  [rtgsTransfer, "rtgsTransfer"],
  [sknTransfer, "sknTransfer"],
] as const) {
  test(`${row.code}: a success says that it was accepted, and its transactionStatus that it is pending`, async () => {
    const { client } = clientReceiving(() => json(200, row.example.response));
    const result = await client.call(send, row.example.request);
    assert.equal(result.case, "success");
    assert.deepEqual([result.transactionStatus, result.transactionStatusDesc], ["03", "Pending"]);
  });
}

/** A rail's rejection within the call is a rejection like any other: the money is back. */
const byTheRail = [
  "invalidAccount",
  "inactiveAccount",
  "dormantAccount",
  "accountLimitExceeded",
  "bankNotSupported",
  "doNotHonor",
  "featureNotAllowedAtThisTime",
] as const satisfies readonly CaseName[];

for (const caseName of byTheRail) {
  test(`18 rejected with ${caseName}: final at first and on a repeat`, async () => {
    assert.ok(interbankTransfer.cases.includes(caseName));
    const { client } = clientReceiving(() => code(interbankTransfer, caseName));
    const attempt = client.prepare("interbankTransfer", request);
    for (const result of [client.send(attempt), client.repeat(attempt)]) {
      const error = await rejection(result);
      assert.ok(isSnapError(error, "interbankTransfer"));
      assert.deepEqual([error.caseName, error.isFinal], [caseName, true]);
      assert.equal(error.response.referenceNo, undefined);
    }
  });
}

for (const status of ["00", "01", "02", "03", "04", "06"]) {
  test(`a repeat after a lost 202 has status ${status} and the original response 202`, async () => {
    const { client, calls } = clientReceiving(silence, conflict(status));
    const unknown = await rejection(client.interbankTransfer(request));
    assert.ok(isOutcomeUnknown(unknown, "interbankTransfer"));
    const error = await rejection(client.repeat(unknown));
    assert.ok(isSnapError(error, "interbankTransfer"));
    assert.deepEqual([error.isFinal, error.latestTransactionStatus], [true, status]);
    assert.equal(error.originalResponse?.responseCode, "2021800");
    assert.equal(error.originalResponse?.referenceNo, response.referenceNo);
    assert.deepEqual(calls[1]?.bytes, calls[0]?.bytes);
  });
}

test("a time-out reported by a gateway is not final", async () => {
  const { client } = clientReceiving(() => code(interbankTransfer, "timeout"));
  const error = await rejection(client.interbankTransfer(request));
  assert.ok(isSnapError(error));
  assert.equal(error.isFinal, false);
});

test("a rail time-out on an inquiry (16) is final", async () => {
  const { client } = clientReceiving(() => code(externalAccountInquiry, "timeout"));
  const error = await rejection(client.externalAccountInquiry(externalAccountInquiry.example.request));
  assert.ok(isSnapError(error, "externalAccountInquiry"));
  assert.deepEqual([error.caseName, error.isFinal, error.attempt], ["timeout", true, undefined]);
});

for (const name of ["statusInquiryBank", "statusInquiryNonBank"] as const) {
  const row = operations[name];
  const inquiry = { serviceCode: "18", originalPartnerReferenceNo: request.partnerReferenceNo } as const;
  const statusResponse = (latestTransactionStatus: string, more: object = {}) =>
    json(200, { ...row.example.response, serviceCode: "18", latestTransactionStatus, ...more });

  test(`${row.code} returns the status, also of a rejected transfer without referenceNumber`, async () => {
    const { client } = clientReceiving(
      () => statusResponse("03"),
      () => statusResponse("06", { referenceNumber: "", previousResponseCode: "4031805" }),
    );
    assert.equal((await client[name](inquiry)).latestTransactionStatus, "03");
    const failed = await client[name](inquiry);
    assert.deepEqual(
      [failed.latestTransactionStatus, failed.previousResponseCode, failed.serviceCode],
      ["06", "4031805", "18"],
    );
  });

  test(`${row.code} that finds nothing says so with status 07`, async () => {
    const { client } = clientReceiving(() => code(row, "transactionNotFound", { latestTransactionStatus: "07" }));
    const error = await rejection(client[name](inquiry));
    assert.ok(isSnapError(error, name));
    assert.deepEqual([error.response.latestTransactionStatus, error.isFinal], ["07", true]);
  });
}

test("53 sends its four fields", async () => {
  const { client, calls } = clientReceiving(() => json(200, operations.statusInquiryNonBank.example.response));
  const more = {
    originalResponseCode: "2021800",
    originalResponseMessage: "Request In Progress",
    sessionId: "S-1",
    requestId: "R-1",
  };
  await client.statusInquiryNonBank({ serviceCode: "18", originalExternalId: "1", ...more });
  assert.deepEqual(JSON.parse(calls[0]?.body ?? ""), { serviceCode: "18", originalExternalId: "1", ...more });
});

const told = (latestTransactionStatus: string) => () => {
  const { originalExternalId: _id, ...inquiry } = operations.statusInquiryBank.example.response;
  return json(200, { ...inquiry, latestTransactionStatus });
};

/** Responses to the README's job, and its result. */
const runs: readonly (readonly [string, readonly (() => Response)[], string])[] = [
  ["settled", [settled], "paid"],
  ["202, then that it settled", [inProgress, told("00")], "paid"],
  ["a rejection before processing", [() => code(interbankTransfer, "unauthorized")], "rejected"],
  ["a rejection by the rail", [silence, () => code(interbankTransfer, "doNotHonor")], "rejected"],
  ["nothing, then that it is pending and settled", [silence, conflict("03"), told("00")], "paid"],
  ["nothing, then that it was rejected after 202", [silence, conflict("06"), told("06")], "rejected"],
  ["nothing, then that it was returned", [silence, conflict("04"), told("04")], "returned"],
];

for (const [what, responses, outcome] of runs) {
  test(`a job that receives ${what}, is ${outcome}`, async () => {
    const { client } = clientReceiving(...responses);
    assert.equal(await payOtherBank(client, createMemoryAttempts(), request), outcome);
  });
}
