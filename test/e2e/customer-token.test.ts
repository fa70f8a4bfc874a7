/** A customer's token over the sandbox: a code, service 74, the token in a call, its end, its renewal (spec D3). */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Answer, Json } from "../support/black-box/caller.ts";
import { eventually } from "../support/black-box/answers.ts";
import { startSandbox } from "../support/black-box/start-sandbox.ts";
import { expectCode, inquiryPath } from "../support/black-box/transfers.ts";
import { runCli } from "../support/cli/run-cli.ts";

const sandbox = await startSandbox();
after(() => sandbox[Symbol.asyncDispose]());
const { control, dataDir } = sandbox;
const alpha = sandbox.caller("alpha");
const [accountNo = ""] = alpha.partner.sourceAccounts;
const daySeconds = 86_400;

async function newCode(): Promise<string> {
  const { authCode } = await control.call("POST", "auth-codes", { partnerId: "alpha", accountNo });
  return String(authCode);
}

const exchange = (authCode: string, caller = alpha) =>
  caller.askToken("access-token/b2b2c", { grantType: "authorization_code", authCode });
const refresh = (refreshToken: unknown) =>
  alpha.askToken("access-token/b2b2c", { grantType: "refresh_token", refreshToken });

/** Any call with the token; the operation does not look at it. */
async function inquire(customerToken: unknown, caller = alpha): Promise<Answer> {
  await caller.token({ fresh: true });
  const headers = { "Authorization-Customer": `Bearer ${String(customerToken)}` };
  return caller.call(inquiryPath, { beneficiaryAccountNo: accountNo }, { headers });
}

function expectReason(answer: Answer, message: string): void {
  assert.deepEqual(answer.body, { responseCode: "4017400", responseMessage: message });
}

/** Milliseconds from the sandbox's time to the given one. */
async function untilTime(timestamp: unknown): Promise<number> {
  const { now } = await control.call<{ readonly now: string }>("GET", "clock");
  return Date.parse(String(timestamp)) - Date.parse(now);
}

async function expectTokens({ body }: Answer): Promise<Json> {
  assert.deepEqual(Object.keys(body), [
    "responseCode",
    "responseMessage",
    "accessToken",
    "tokenType",
    "accessTokenExpiryTime",
    "expiresIn",
    "refreshToken",
    "refreshTokenExpiryTime",
  ]);
  for (const [field, days] of [
    ["accessTokenExpiryTime", 15],
    ["refreshTokenExpiryTime", 30],
  ] as const) {
    const seconds = (await untilTime(body[field])) / 1_000;
    assert.ok(Math.abs(seconds - days * daySeconds) < 30, `${field} is ${seconds} s from now`);
  }
  return body;
}

test("a code gets a token that a call accepts, until 15 days have passed; the refresh token gets the next", async () => {
  const code = await newCode();
  const answer = await exchange(code);
  assert.equal(answer.code, "2007400", answer.message);
  const { accessToken, refreshToken } = await expectTokens(answer);
  expectCode(await inquire(accessToken), "2001500");
  expectCode(await inquire("not-a-token"), "4011502");
  expectReason(await exchange(code), "Unauthorized. [Invalid authorization code]");

  // Its end is a whole second, rounded up.
  await control.advance(15 * daySeconds + 1);
  expectCode(await inquire(accessToken), "4011502");
  const renewed = await refresh(refreshToken);
  assert.equal(renewed.code, "2007400", renewed.message);
  const next = await expectTokens(renewed);
  expectCode(await inquire(next["accessToken"]), "2001500");

  // As if the response had been lost.
  const repeated = await refresh(refreshToken);
  assert.equal(repeated.body["refreshToken"], next["refreshToken"], repeated.message);
  const last = await expectTokens(await refresh(next["refreshToken"]));
  expectCode(await inquire(last["accessToken"]), "2001500");

  // The response was used, so that this is another's.
  expectReason(await refresh(refreshToken), "Unauthorized. [Invalid refresh token]");
  expectReason(await refresh(last["refreshToken"]), "Unauthorized. [Invalid refresh token]");
  for (const ended of [next, repeated.body, last]) expectCode(await inquire(ended["accessToken"]), "4011502");
});

test("a code ends after 10 minutes, a refresh token after 30 days", async () => {
  const [late, inTime] = [await newCode(), await newCode()];
  await control.advance(9 * 60);
  const { refreshToken } = (await exchange(inTime)).body;
  await control.advance(60);
  expectReason(await exchange(late), "Unauthorized. [Invalid authorization code]");
  await control.advance(30 * daySeconds);
  expectReason(await refresh(refreshToken), "Unauthorized. [Invalid refresh token]");
});

test("a code and a token are their partner's alone", async () => {
  const beta = sandbox.caller("beta");
  const code = await newCode();
  expectReason(await exchange(code, beta), "Unauthorized. [Invalid authorization code]");
  const { accessToken } = (await exchange(code)).body;
  expectCode(await inquire(accessToken, beta), "4011502");
  expectCode(await inquire(accessToken), "2001500");
});

test("titian makes a code, exchanges it, and calls with the token without showing it", async () => {
  const titian = (...args: readonly string[]) => runCli(args, { env: { TITIAN_DATA_DIR: dataDir, ...sandbox.cells } });
  const made = await titian("auth-code", "new", "--partner", "alpha", "--account", accountNo);
  assert.equal(made.exitCode, 0, made.stderr);
  const code = made.stdout.trim();
  assert.match(made.stderr, /^Single-use, valid until \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+07:00\.$/m);

  const exchanged = await titian("call", "74", "--field", `authCode=${code}`);
  assert.equal(exchanged.exitCode, 0, exchanged.stderr);
  assert.match(exchanged.stderr, /grantType = authorization_code/);
  assert.ok(!exchanged.stderr.includes(code), exchanged.stderr);
  const { accessToken, refreshToken } = JSON.parse(exchanged.stdout);
  const refreshed = await titian("call", "74", "--field", `refreshToken=${refreshToken}`);
  assert.equal(refreshed.exitCode, 0, refreshed.stderr);

  const inquiry = ["call", "15", "--field", `beneficiaryAccountNo=${accountNo}`, "--show-secrets", "--customer-token"];
  const called = await titian(...inquiry, accessToken);
  assert.equal(called.exitCode, 0, called.stderr);
  assert.match(called.stderr, /^Authorization-Customer: Bearer .{10}… \(\d+ characters\)$/m);
  assert.ok(!`${called.stdout}${called.stderr}`.includes(accessToken));
  const listed = () => titian("consent", "list", "--account", accountNo, "--partner", "alpha");
  const before = await listed();
  assert.match(before.stdout, new RegExp(`\\balpha +${accountNo} +active\\b.* 2 `), before.stderr);
  const revoked = await titian("consent", "revoke", "--partner", "alpha", "--account", accountNo);
  assert.match(revoked.stdout, /^The consents to alpha for \d+ are revoked\.$/m, revoked.stderr);
  await eventually(async () => (await inquire(accessToken)).code === "4011502");
  assert.match((await listed()).stdout, /^Revoked\n[^]*^alpha .* titian control /m);
  const rejected = await titian(...inquiry, "not-a-token");
  assert.match(rejected.stdout, /"4011502"/);

  const again = await titian("call", "74", "--field", `authCode=${code}`);
  assert.deepEqual([again.exitCode, JSON.parse(again.stdout).responseCode], [1, "4017400"]);
  assert.match(again.stderr, /titian auth-code new/);
  const unknown = await titian("auth-code", "new", "--partner", "alpha", "--account", "404");
  assert.equal(unknown.exitCode, 1);
  assert.match(unknown.stderr, /There is no such account of a holder\. \(accountNo\)/);
});
