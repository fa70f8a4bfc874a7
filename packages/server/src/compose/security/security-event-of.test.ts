import assert from "node:assert/strict";
import { test } from "node:test";
import type { CaseName } from "@titian/contract";
import { securityEventOf } from "./security-event-of.ts";

type Call = Parameters<typeof securityEventOf>[0];

const answered = (call: Partial<Call>) =>
  securityEventOf({ operation: "intrabankTransfer", rejection: undefined, status: 200, fields: {}, ...call });
const rejected = (caseName: CaseName, reason?: string, fields = {}) =>
  answered({ rejection: { case: caseName, ...(reason !== undefined && { reason }) }, status: 400, fields });

test("identity, rights, rates and tokens are events; accepted calls and decisions about money are none", () => {
  assert.deepEqual(rejected("unauthorized", "Signature"), { event: "authentication.failed", reason: "signature" });
  assert.deepEqual(rejected("unauthorized", "Connection not allowed")?.reason, "address");
  assert.deepEqual(rejected("tokenNotFound")?.reason, "token_missing");
  assert.deepEqual(rejected("featureNotAllowed")?.event, "access.denied");
  assert.deepEqual(rejected("transactionNotPermitted", "Source account")?.reason, "source_account");
  assert.deepEqual(rejected("tooManyRequests"), { event: "limit.exceeded" });
  const refresh = { grantType: "refresh_token", refreshToken: "secret" };
  assert.deepEqual(rejected("unauthorized", "Invalid refresh token", refresh), {
    event: "grant.rejected",
    reason: "refresh_token",
  });
  assert.deepEqual(answered({ operation: "accessTokenB2b" }), { event: "token.issued" });
  assert.deepEqual(answered({ operation: "accessTokenB2b2c", fields: { grantType: "authorization_code" } }), {
    event: "grant.used",
    reason: "authorization_code",
  });
  for (const none of [
    answered({}),
    answered({ operation: "accessTokenB2b", status: 0 }),
    rejected("insufficientFunds"),
    rejected("transactionNotPermitted", "Same account"),
    rejected("invalidFieldFormat"),
  ]) {
    assert.equal(none, undefined);
  }
});
