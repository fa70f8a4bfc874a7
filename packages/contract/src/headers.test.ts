import assert from "node:assert/strict";
import { test } from "node:test";
import { bearerToken, type HeaderSource, readHeaders, requiredHeaders } from "./headers.ts";

const call: HeaderSource = {
  "content-type": "application/json; charset=utf-8",
  "x-timestamp": "2026-11-21T10:00:00.123+07:00",
  "x-signature": "anything at all",
  "x-partner-id": "82150823919040624621823174737537",
  "x-external-id": "41807553358950093184162180797837",
  "channel-id": "95221",
};
const tokenCall: HeaderSource = { ...call, "x-client-key": "962489e9-de5d-4eb7-92a4-b07d44d64bf4" };

test("the required headers are read by key", () => {
  assert.deepEqual(readHeaders("transaction", call), {
    ok: true,
    value: {
      contentType: "application/json; charset=utf-8",
      timestamp: "2026-11-21T10:00:00.123+07:00",
      signature: "anything at all",
      partnerId: "82150823919040624621823174737537",
      externalId: "41807553358950093184162180797837",
      channelId: "95221",
    },
  });
  const read = readHeaders("token", tokenCall);
  assert.ok(read.ok);
  assert.equal(read.value.clientKey, "962489e9-de5d-4eb7-92a4-b07d44d64bf4");
});

test("each missing header is named, absent or empty, before any malformed one", () => {
  for (const kind of ["token", "transaction"] as const) {
    for (const { name, lowerName } of requiredHeaders[kind]) {
      const spoiled = { ...tokenCall, "x-timestamp": "now" };
      for (const value of [undefined, ""]) {
        const expected = { ok: false, case: "invalidMandatoryField", field: name };
        assert.deepEqual(readHeaders(kind, { ...spoiled, [lowerName]: value }), expected);
      }
    }
  }
});

test("each malformed header is named", () => {
  const faults: readonly (readonly [string, string, string | string[]])[] = [
    ["Content-Type", "content-type", "text/plain"],
    ["Content-Type", "content-type", "application/jsonp"],
    ["X-TIMESTAMP", "x-timestamp", "2026-11-21T10:00:00"],
    ["X-TIMESTAMP", "x-timestamp", "2026-11-21"],
    ["X-PARTNER-ID", "x-partner-id", "p".repeat(37)],
    ["X-PARTNER-ID", "x-partner-id", "a b"],
    ["X-EXTERNAL-ID", "x-external-id", "1".repeat(37)],
    ["X-EXTERNAL-ID", "x-external-id", "a/b"],
    ["X-EXTERNAL-ID", "x-external-id", "1, 2"],
    ["X-EXTERNAL-ID", "x-external-id", ["1", "2"]],
    ["CHANNEL-ID", "channel-id", "9".repeat(37)],
  ];
  for (const [field, lowerName, value] of faults) {
    const expected = { ok: false, case: "invalidFieldFormat", field };
    assert.deepEqual(readHeaders("transaction", { ...call, [lowerName]: value }), expected, `${field}: ${value}`);
  }
  const bar = readHeaders("token", { ...tokenCall, "x-client-key": "a|b" });
  assert.deepEqual(bar, { ok: false, case: "invalidFieldFormat", field: "X-CLIENT-KEY" });
});

test("an external id may hold letters, digits, - _ and ., or digits only by a setting", () => {
  const lettered = { ...call, "x-external-id": "Ab-1_2.3" };
  assert.ok(readHeaders("transaction", lettered).ok);
  const expected = { ok: false, case: "invalidFieldFormat", field: "X-EXTERNAL-ID" };
  assert.deepEqual(readHeaders("transaction", lettered, { digitsOnlyExternalId: true }), expected);
  assert.ok(readHeaders("transaction", call, { digitsOnlyExternalId: true }).ok);
});

test("a bearer token is read from its header", () => {
  assert.equal(bearerToken("Bearer abc.def"), "abc.def");
  assert.equal(bearerToken("bearer abc"), "abc");
  for (const header of [undefined, "", "abc", "Basic abc", "Bearer", "Bearer ", "Bearer a b"]) {
    assert.equal(bearerToken(header), undefined, header);
  }
});
