/**
 * Common parts of a response, beside the operation's own fields, and answers when an operation fails (spec D4, D6, D8).
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startEdge, transfer } from "../support/edge/start-edge.ts";

test("every answer carries Content-Type and our time at +07:00, the moved one", async (t) => {
  const edge = await startEdge(t);
  edge.clock.setOffset(3 * 86_400_000);
  for (const recipe of [{}, { method: "GET" as const }, { target: "/nothing" }, { headers: { "X-SIGNATURE": "x" } }]) {
    const { headers } = await edge.send(recipe);
    const timestamp = String(headers["x-timestamp"]);
    assert.match(timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+07:00$/);
    assert.ok(Math.abs(Date.parse(timestamp) - edge.clock.now()) < 5_000);
    assert.equal(headers["content-type"], "application/json");
  }
});

test("an operation's fields, its echo and its free-form bytes reach the caller", async (t) => {
  const edge = await startEdge(t, {
    handlers: { intrabankTransfer: () => Promise.resolve({ case: "success", fields: { referenceNo: "R1" } }) },
  });
  const body = `{ "additionalInfo": { "note": "caf\\u00e9 ✓", "n": 1.0 }, "x": 1, ${JSON.stringify(transfer).slice(1)}`;
  const answer = await edge.send({ body });
  assert.equal(
    answer.text,
    '{"responseCode":"2001700","responseMessage":"Successful","referenceNo":"R1","partnerReferenceNo":"T-0001",' +
      '"amount":{"value":"10000.00","currency":"IDR"},"beneficiaryAccountNo":"2000000002",' +
      '"sourceAccountNo":"1000000001","transactionDate":"2026-11-21T10:00:00+07:00",' +
      '"additionalInfo":{ "note": "caf\\u00e9 ✓", "n": 1.0 }}',
  );
});

test("an operation without a handler is 405xx00, once the call is known to be valid", async (t) => {
  const edge = await startEdge(t);
  const body = JSON.stringify({ beneficiaryAccountNo: "1" });
  const answer = await edge.send({ operation: "internalAccountInquiry", body });
  assert.deepEqual([answer.status, answer.code], [405, "4051500"]);
  assert.equal((await edge.send({ operation: "internalAccountInquiry", body: "{}" })).code, "4001502");
  assert.equal((await edge.send({ operation: "internalAccountInquiry", secret: "wrong" })).code, "4011500");
});

test("an operation that throws is 500xx00 with a correlation id, and only the log tells more", async (t) => {
  const edge = await startEdge(t, {
    handlers: {
      intrabankTransfer: () => Promise.reject(new Error("the disk is on fire")),
      statusInquiryBank: () => {
        throw new Error("thrown at once");
      },
    },
  });
  const answer = await edge.send({});
  assert.deepEqual([answer.status, answer.code], [500, "5001700"]);
  const correlationId = String(answer.headers["x-correlation-id"]);
  assert.match(correlationId, /^[0-9a-f]{16}$/);
  assert.equal(answer.message, `General Error [${correlationId}]`);
  assert.equal(answer.fields["partnerReferenceNo"], "T-0001");
  assert.doesNotMatch(answer.text, /fire/);
  const line = edge.logLines.find((text) => text.includes(correlationId)) ?? "";
  assert.match(line, /the disk is on fire/);
  assert.match(line, /"externalId":"41807553358950093184","partner":"P-HMAC","operation":"intrabankTransfer"/);
  const inquiry = '{"serviceCode":"17","originalExternalId":"1"}';
  const second = await edge.send({ operation: "statusInquiryBank", body: inquiry });
  assert.equal(second.code, "5003600");
});

test("an operation that answers general error gets a correlation id too", async (t) => {
  const edge = await startEdge(t, {
    handlers: { intrabankTransfer: () => Promise.resolve({ case: "generalError" }) },
  });
  const answer = await edge.send({});
  assert.equal(answer.message, `General Error [${String(answer.headers["x-correlation-id"])}]`);
  assert.equal(answer.headers["x-correlation-id"], edge.calls[0]?.correlationId);
  assert.ok(edge.logLines.some((line) => line.includes(String(answer.headers["x-correlation-id"]))));
});

test("Retry-After is the operation's to give", async (t) => {
  const edge = await startEdge(t, {
    handlers: { intrabankTransfer: () => Promise.resolve({ case: "serviceUnavailable", retryAfter: 1 }) },
  });
  const answer = await edge.send({});
  assert.deepEqual([answer.code, answer.headers["retry-after"]], ["5031700", "1"]);
});

test("a debug line tells who called what and how it was answered", async (t) => {
  const edge = await startEdge(t);
  await edge.send({});
  await edge.send({ secret: "wrong" });
  const named =
    /"externalId":"41807553358950093184","partner":"P-HMAC","operation":"intrabankTransfer","responseCode":"(\d+)"/;
  assert.deepEqual(
    edge.logLines.flatMap((line) => named.exec(line)?.[1] ?? []),
    ["2001700", "4011700"],
  );
});

test("bodies, signatures, tokens and secrets are in no log line, at any level and with every outcome", async (t) => {
  const edge = await startEdge(t, {
    handlers: { intrabankTransfer: () => Promise.reject(new Error("failed")) },
  });
  const recipes = [{}, { secret: "wrong" }, { body: "{" }, { headers: { Authorization: "Bearer BADTOKEN" } }];
  for (const recipe of recipes) await edge.send(recipe);
  await edge.send({ body: JSON.stringify(transfer).replace("10000.00", "-1") });
  const text = edge.logLines.join("\n");
  assert.ok(edge.logLines.length > 0);
  assert.doesNotMatch(text, /2000000002|10000\.00|BADTOKEN|secret-of-|Bearer|eyJ|PRIVATE/);
});
