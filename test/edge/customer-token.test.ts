/** Service 74 over a real socket: what is presented, and each response (spec D2, D3, D8). */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { formatTimestamp } from "@titian/contract";
import type { CustomerGrants } from "../../packages/server/src/edge/authentication/customer-token.ts";
import { askToken, type TokenRecipe } from "../support/edge/ask-token.ts";
import { startEdge } from "../support/edge/start-edge.ts";

type Presented = Parameters<CustomerGrants["redeem"]>[1];
type Outcome = Awaited<ReturnType<CustomerGrants["redeem"]>>;

const day = 86_400_000;
const accountNo = "1001000001";

/** An edge whose grants have the given outcome; what was presented to them stands in `presented`. */
async function startWith(t: Pick<TestContext, "after">, outcome: Outcome | Error) {
  const presented: (Presented & { readonly partnerId: string })[] = [];
  const edge = await startEdge(t, {
    redeem: async ({ partnerId }, what) => {
      presented.push({ ...what, partnerId });
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
  });
  const ask = (body: unknown, recipe: TokenRecipe = {}) =>
    askToken(edge, { path: "/v1.0/access-token/b2b2c", body: JSON.stringify(body), ...recipe });
  return { edge, presented, ask };
}

const good = (refreshTokenExpiresAt = 0): Outcome => ({
  id: "grant-1",
  accountNo,
  refreshToken: "next-1",
  refreshTokenExpiresAt,
});
const code = { grantType: "authorization_code", authCode: "code-1" };
const refresh = { grantType: "refresh_token", refreshToken: "token-1" };

test("a code and a refresh token get a token of 15 days for their account, and the next refresh token", async (t) => {
  const refreshTokenExpiresAt = Date.now() + 30 * day;
  const { edge, ask, presented } = await startWith(t, good(refreshTokenExpiresAt));
  for (const body of [code, refresh, { ...code, grantType: "AUTHORIZATION_CODE", refreshToken: "ignored" }]) {
    const before = edge.clock.now();
    const { status, code: responseCode, fields } = await ask({ ...body, additionalInfo: { a: 1 } });
    assert.deepEqual([status, responseCode], [200, "2007400"]);
    const { accessToken, accessTokenExpiryTime, ...others } = fields;
    assert.deepEqual(others, {
      responseCode: "2007400",
      responseMessage: "Successful",
      tokenType: "Bearer",
      expiresIn: "1296000",
      refreshToken: "next-1",
      refreshTokenExpiryTime: formatTimestamp(refreshTokenExpiresAt),
      additionalInfo: { a: 1 },
    });
    const expiresAt = Date.parse(String(accessTokenExpiryTime));
    assert.ok(expiresAt >= before + 15 * day && expiresAt <= before + 15 * day + 5_000, String(accessTokenExpiryTime));
    await edge.send({ headers: { "Authorization-Customer": `Bearer ${String(accessToken)}` } });
    assert.equal(edge.calls.at(-1)?.customerAccountNo, accountNo);
  }
  assert.deepEqual(presented, [
    { partnerId: "P-HMAC", kind: "code", text: "code-1" },
    { partnerId: "P-HMAC", kind: "refreshToken", text: "token-1" },
    { partnerId: "P-HMAC", kind: "code", text: "code-1" },
  ]);
});

test("a field that the grant type needs and that is absent is named", async (t) => {
  const { ask, presented } = await startWith(t, good());
  for (const value of [undefined, null, ""]) {
    const noCode = await ask({ ...refresh, ...code, authCode: value });
    assert.equal(`${noCode.code} ${noCode.message}`, "4007402 Invalid Mandatory Field authCode");
    const noToken = await ask({ ...code, ...refresh, refreshToken: value });
    assert.equal(`${noToken.code} ${noToken.message}`, "4007402 Invalid Mandatory Field refreshToken");
  }
  assert.deepEqual(presented, []);
});

test("a code or refresh token that is not good is rejected by its name, with the envelope alone", async (t) => {
  const { ask } = await startWith(t, "invalid");
  for (const [body, reason] of [
    [code, "Invalid authorization code"],
    [refresh, "Invalid refresh token"],
  ] as const) {
    const { status, fields } = await ask({ ...body, additionalInfo: {} });
    assert.equal(status, 401);
    assert.deepEqual(fields, { responseCode: "4017400", responseMessage: `Unauthorized. [${reason}]` });
  }
});

test("a refresh token that was sent stands in no answer and no log line", async (t) => {
  const { ask, edge } = await startWith(t, new Error("the database is down"));
  const secret = "a-refresh-token-of-a-customer";
  for (const [grantType, expected] of [
    ["authorization_code", "4007402"],
    ["password", "4007401"],
    ["refresh_token", "5007400"],
  ] as const) {
    const { code: responseCode, text } = await ask({ grantType, refreshToken: secret });
    assert.equal(responseCode, expected);
    assert.ok(!text.includes(secret), text);
  }
  assert.ok(!edge.logLines.join("").includes(secret));
});

test("a database that fails is 500xx00 with a correlation id, one that is asked too much 503xx00", async (t) => {
  const failing = await startWith(t, new Error("the database is down"));
  const failed = await failing.ask(code);
  assert.match(`${failed.code} ${failed.message}`, /^5007400 General Error \[[0-9a-f]{16}\]$/);
  assert.ok(failing.edge.logLines.some((line) => line.includes(String(failed.headers["x-correlation-id"]))));
  const busy = await (await startWith(t, "busy")).ask(code);
  assert.deepEqual([busy.code, busy.headers["retry-after"]], ["5037400", "1"]);
});

test("the caller is checked before anything is spent", async (t) => {
  const { ask, edge, presented } = await startWith(t, good());
  assert.equal((await ask(code, { headers: { "X-SIGNATURE": "x" } })).code, "4017400");
  edge.state.symmetric = { ...edge.state.symmetric, status: "suspended" };
  assert.equal((await ask(code)).message, "Unauthorized. [Unknown client]");
  assert.deepEqual(presented, []);
});
