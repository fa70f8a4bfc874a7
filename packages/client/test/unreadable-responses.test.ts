// Responses that do not conform to the interface: a ProtocolError for a read, an unknown outcome for a write.
import assert from "node:assert/strict";
import { test } from "node:test";
import { operations } from "@titian/contract";
import { createClient, isOutcomeUnknown, ProtocolError } from "../src/index.ts";
import { asymmetric } from "./helpers/credentials.ts";
import { json, recordingFetch } from "./helpers/recording-fetch.ts";
import { rejection } from "./helpers/rejection.ts";
import { transfer } from "./helpers/transfer.ts";

const referenceNo = "01JD7K8B0C1D2E3F4G5H6J7K8M";
const success = { responseCode: "2001700", responseMessage: "Successful", referenceNo };

function endless(): Response {
  const chunk = new Uint8Array(65_536).fill(0x20);
  return new Response(
    new ReadableStream({
      pull(controller) {
        controller.enqueue(chunk);
      },
    }),
  );
}

const responses: readonly (readonly [string, () => Response, RegExp])[] = [
  ["a gateway's page", () => json(502, "<html>Bad Gateway</html>"), /HTTP 502 .*JSON/],
  ["an empty body", () => json(200, ""), /JSON/],
  ["no body at all", () => new Response(null, { status: 204 }), /HTTP 204/],
  ["a list", () => json(200, "[]"), /JSON/],
  ["half an object", () => json(200, '{"responseCode":"2001700","responseMe'), /JSON/],
  ["bytes that are not UTF-8", () => new Response(new Uint8Array([0x7b, 0xff, 0x7d])), /JSON/],
  ["a key twice", () => json(200, '{"responseCode":"2001700","responseCode":"2001700","responseMessage":"S"}'), /JSON/],
  ["no response code", () => json(200, { responseMessage: "Successful" }), /responseCode/],
  ["a response code that is a number", () => json(200, { ...success, responseCode: 2001700 }), /responseCode/],
  ["a response code of 3 digits", () => json(200, { ...success, responseCode: "200" }), /responseCode/],
  ["no message", () => json(200, { responseCode: "2001700" }), /responseMessage/],
  ["a success with a malformed field", () => json(200, { ...success, amount: { value: "1,00" } }), /amount/],
  ["a success without the provider's number", () => json(200, { ...success, referenceNo: "" }), /referenceNo/],
  ["a success code under another HTTP status", () => json(500, success), /2001700/],
  ["a rejection under HTTP 200", () => json(200, { ...success, responseCode: "4031714" }), /4031714/],
  ["another operation's response", () => json(200, { ...success, responseCode: "2001800" }), /2001800/],
  ["a success of no operation", () => json(200, { ...success, responseCode: "2000000" }), /2000000/],
  ["a 200 of an unknown case", () => json(200, { ...success, responseCode: "2001707" }), /2001707/],
  ["a redirect", () => new Response(null, { status: 307, headers: { Location: "https://evil.example" } }), /HTTP 307/],
  ["a body without end", endless, /more than 1048576 bytes/],
];

for (const [name, response, message] of responses) {
  test(`a write that receives ${name} has an unknown outcome`, async () => {
    const { fetch, calls } = recordingFetch(response);
    const error = await rejection(createClient({ ...asymmetric, fetch }).intrabankTransfer(transfer));
    assert.ok(isOutcomeUnknown(error));
    assert.ok(error.cause instanceof ProtocolError);
    assert.match(error.message, message);
    assert.equal(error.isFinal, false);
    assert.equal(error.attempt.body, calls[0]?.body);
    assert.equal(calls.length, 1, "not sent again");
  });
}

test("a read rejects with the ProtocolError itself", async () => {
  const { fetch } = recordingFetch(() => json(502, "<html>"));
  const client = createClient({ ...asymmetric, fetch });
  const error = await rejection(client.internalAccountInquiry({ beneficiaryAccountNo: "1" }));
  assert.ok(error instanceof ProtocolError);
  assert.equal(error.httpStatus, 502);
  assert.equal(error.isFinal, true);
});

test("a success must be whole", async () => {
  const { beneficiaryAccountName: _name, ...rest } = operations.internalAccountInquiry.example.response;
  const { fetch } = recordingFetch(() => json(200, rest));
  const client = createClient({ ...asymmetric, fetch });
  const error = await rejection(client.internalAccountInquiry({ beneficiaryAccountNo: "1" }));
  assert.ok(error instanceof ProtocolError);
  assert.match(error.message, /beneficiaryAccountName/);
});

test("a read has no progress to speak of", async () => {
  const { fetch } = recordingFetch(() => json(202, { responseCode: "2021500", responseMessage: "In Progress" }));
  const client = createClient({ ...asymmetric, fetch });
  assert.ok((await rejection(client.internalAccountInquiry({ beneficiaryAccountNo: "1" }))) instanceof ProtocolError);
});

test("a response may be as deep as a repeat makes it, and carries what it does not know", async () => {
  const original = { ...success, additionalInfo: { a: { b: { c: { d: {} } } } } };
  const additionalInfo = { originalResponse: original, latestTransactionStatus: "03" };
  const { fetch } = recordingFetch(() => json(200, { ...success, additionalInfo, unknown: true }));
  const response = await createClient({ ...asymmetric, fetch }).intrabankTransfer(transfer);
  assert.deepEqual(response.additionalInfo, additionalInfo);
  assert.ok(!("unknown" in response));
  assert.match(response.raw, /"unknown":true/);
  assert.ok(!Object.keys(response).includes("raw"));
});
