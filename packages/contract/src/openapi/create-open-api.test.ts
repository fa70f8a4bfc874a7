import assert from "node:assert/strict";
import { test } from "node:test";
import { operationRows } from "../operations.ts";
import { createOpenApi } from "./create-open-api.ts";
import { writeOpenApi } from "./write-open-api.ts";

const document = createOpenApi({
  pathPrefix: "/snap",
  version: "v1.0",
  serverUrl: "http://localhost:8080",
});
const text = JSON.stringify(document);

/** Finds the value at a JSON pointer into the document. */
function at(pointer: string): unknown {
  let value: unknown = JSON.parse(text);
  for (const token of pointer.split("/").slice(1)) {
    const name = token.replaceAll("~1", "/").replaceAll("~0", "~");
    value = typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
  }
  return value;
}

test("every operation is described once: calls as paths, notifications as webhooks", () => {
  const ids = [...text.matchAll(/"operationId":"(\w+)"/g)].map(([, id]) => id);
  assert.deepEqual(new Set(ids), new Set(operationRows.map(({ name }) => name)));
  assert.deepEqual(Object.keys(document.webhooks), ["bulkNotification", "rtgsNotification", "sknNotification"]);
  assert.ok("/snap/v1.0/auth/capture-query" in document.paths);
  assert.equal(Object.keys(document.paths).length, operationRows.length - 3);
  assert.deepEqual(document.servers, [{ url: "http://localhost:8080" }]);
});

test("the text is ASCII, and the same each time", () => {
  const written = writeOpenApi(document);
  assert.match(written, /^[ -~]+$/);
  assert.deepEqual(JSON.parse(written), JSON.parse(text));
  assert.equal(
    writeOpenApi(createOpenApi({ pathPrefix: "/snap", version: "v1.0", serverUrl: "http://localhost:8080" })),
    written,
  );
});

test("every reference leads somewhere, and nothing of the checker is left in", () => {
  const references = [...text.matchAll(/"\$ref":"#([^"]+)"/g)].map(([, pointer]) => pointer ?? "");
  assert.ok(references.length > 100);
  for (const pointer of new Set(references)) assert.equal(typeof at(pointer), "object", pointer);
  assert.ok(!text.includes("~"));
});

test("a schema has presence, lengths and formats", () => {
  const request = "/components/schemas/AuthCaptureRequest";
  assert.deepEqual(at(`${request}/required`), [
    "originalReferenceNo",
    "originalPartnerReferenceNo",
    "merchantId",
    "partnerCaptureNo",
    "title",
  ]);
  assert.equal(at(`${request}/properties/title/maxLength`), 256);
  assert.equal(at(`${request}/properties/captureAmount/$ref`), "#/components/schemas/Money");
  assert.deepEqual(at("/components/schemas/Money/required"), ["value", "currency"]);
  assert.equal(at("/components/schemas/InterbankBulkTransferRequest/properties/bulkObject/maxItems"), 10_000);
  assert.match(
    String(at("/components/schemas/AuthCaptureResponse/properties/captureNo/description")),
    /only on success/,
  );
});

test("headers, examples and response cases are shown", () => {
  const operation = "/paths/~1snap~1v1.0~1transfer-intrabank/post";
  const parameters = JSON.stringify(at(`${operation}/parameters`));
  for (const name of ["X-TIMESTAMP", "X-SIGNATURE", "X-PARTNER-ID", "X-EXTERNAL-ID", "CHANNEL-ID"]) {
    assert.ok(parameters.includes(`"name":"${name}","in":"header","required":true`), name);
  }
  assert.equal(
    at(`${operation}/responses/200/content/application~1json/examples/success/value/responseCode`),
    "2001700",
  );
  assert.equal(
    at(`${operation}/responses/409/content/application~1json/examples/conflict/value/responseMessage`),
    "Conflict",
  );
  const inactive = `${operation}/responses/403/content/application~1json/examples/inactiveAccount: Source account`;
  assert.equal(at(`${inactive}/value/responseMessage`), "Inactive Card/Account/Customer [Source account]");
  assert.deepEqual(Object.keys(at(`${operation}/responses/503/headers`) as object), [
    "X-TIMESTAMP",
    "X-CORRELATION-ID",
    "Retry-After",
  ]);
  assert.match(String(at(`${operation}/responses/400/description`)), /4001702 Invalid Mandatory Field/);
});

test("rejections and repeats of a bulk (20) name the item", () => {
  const messageOf = (status: number, example: string) => {
    const examples = `/paths/~1snap~1v1.0~1transfer-interbank-bulk/post/responses/${status}/content/application~1json/examples`;
    return at(`${examples}/${example}/value/responseMessage`);
  };
  assert.equal(messageOf(400, "invalidMandatoryField"), "Invalid Mandatory Field bulkObject[0].bankCode");
  assert.equal(messageOf(404, "invalidAmount: Zero amount"), "Invalid Amount bulkObject[0].amount.value [Zero amount]");
  const number = "bulkObject[0].partnerReferenceNo";
  assert.equal(messageOf(404, "inconsistentRequest"), "Inconsistent Request");
  assert.equal(messageOf(404, `inconsistentRequest: ${number}`), `Inconsistent Request ${number}`);
  assert.equal(messageOf(409, `duplicatePartnerReferenceNo: ${number}`), `Duplicate partnerReferenceNo ${number}`);
});
