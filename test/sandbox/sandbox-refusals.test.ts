// Every kind of refusal by steps 1 to 12, made against a running sandbox, is explained as it happened.
import assert from "node:assert/strict";
import { after, describe, test } from "node:test";
import { request } from "undici";
import type { RefusalView } from "../../packages/sandbox/src/explain/refusal-views.ts";
import type { Caller, Json, SignedCall } from "../support/black-box/caller.ts";
import { startSandbox } from "../support/black-box/start-sandbox.ts";
import { timestampOf } from "../support/black-box/signer.ts";

const sandbox = await startSandbox();
after(() => sandbox[Symbol.asyncDispose]());
const { control, file, agent } = sandbox;
const alpha = sandbox.caller("alpha");
const beta = sandbox.caller("beta");
const gamma = sandbox.caller("gamma");
const path = "transfer-intrabank";
const body = {
  partnerReferenceNo: "R-1",
  amount: { value: "10000.00", currency: "IDR" },
  beneficiaryAccountNo: "1009000001",
  sourceAccountNo: alpha.partner.sourceAccounts[0] ?? "",
  transactionDate: "2026-11-21T10:00:00+07:00",
};

type Change = (call: SignedCall) => Partial<SignedCall> & { readonly method?: string };

interface Case {
  readonly name: string;
  readonly caller?: Caller;
  readonly given?: Json | string;
  readonly change?: Change;
  readonly options?: Parameters<Caller["sign"]>[2];
  readonly step: number;
  readonly cause: string;
  readonly part: string;
  readonly says: RegExp;
}

async function send({ path: target, headers, body: bytes, method = "POST" }: SignedCall & { method?: string }) {
  const answer = await request(`${file.baseUrl}${target}`, { dispatcher: agent, method, headers, body: bytes });
  const text = await answer.body.text();
  return {
    status: answer.statusCode,
    fields: JSON.parse(text) as Json,
    id: String(answer.headers["x-correlation-id"]),
  };
}

async function refusalOf({ caller = alpha, given = body, change = () => ({}), options = {} }: Partial<Case>) {
  const signed = await caller.sign(path, given, options);
  const answer = await send({ ...signed, ...change(signed) });
  const [newest] = await control.call<readonly RefusalView[]>("GET", "refusals?last=1");
  assert.equal(newest?.id, answer.id, "the newest refusal is that of the call");
  return { refusal: newest, answer };
}

const without = (call: SignedCall, name: string) =>
  Object.fromEntries(Object.entries(call.headers).filter(([key]) => key !== name));
const withHeaders =
  (headers: Readonly<Record<string, string>>): Change =>
  (call) => ({ headers: { ...call.headers, ...headers } });
const expiredToken = [{ alg: "HS256" }, { sub: "x", aud: "titian:b2b", exp: 1_700_000_000 }]
  .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
  .concat("c2lnbmF0dXJl")
  .join(".");

const cases: readonly Case[] = [
  {
    name: "an unknown path",
    change: () => ({ path: "/v1.0/transfer-intrabnk" }),
    step: 1,
    cause: "path",
    part: "path",
    says: /Did you mean \/v1\.0\/transfer-intrabank\?/,
  },
  {
    name: "a path without version",
    change: () => ({ path: "/transfer-intrabank" }),
    step: 1,
    cause: "path",
    part: "path",
    says: /without \/v1\.0/,
  },
  {
    name: "an unknown version",
    change: () => ({ path: "/v2.0/transfer-intrabank" }),
    step: 1,
    cause: "path",
    part: "version",
    says: /v2\.0 is not served/,
  },
  { name: "a method", change: () => ({ method: "PUT" }), step: 1, cause: "method", part: "method", says: /PUT.*POST/ },
  {
    name: "a missing header, spelt otherwise",
    change: (call) => ({ headers: { ...without(call, "X-EXTERNAL-ID"), "X-EXTERNALID": "1" } }),
    step: 3,
    cause: "header",
    part: "X-EXTERNAL-ID",
    says: /you sent X-EXTERNALID/i,
  },
  {
    name: "a time without offset",
    options: { timestamp: "2026-11-21T10:00:00" },
    step: 3,
    cause: "header",
    part: "X-TIMESTAMP",
    says: /without an offset/,
  },
  {
    name: "no token",
    change: (call) => ({ headers: without(call, "Authorization") }),
    step: 4,
    cause: "token",
    part: "Authorization",
    says: /no access token/,
  },
  {
    name: "a garbage token",
    change: withHeaders({ Authorization: "Bearer abcdefgh" }),
    step: 4,
    cause: "token",
    part: "Authorization",
    says: /not a JWT/,
  },
  {
    name: "a token without scheme",
    change: (call) => ({ headers: { ...call.headers, Authorization: (call.headers["Authorization"] ?? "").slice(7) } }),
    step: 4,
    cause: "token",
    part: "Authorization",
    says: /without its scheme/,
  },
  {
    name: "an expired token",
    change: withHeaders({ Authorization: `Bearer ${expiredToken}` }),
    step: 4,
    cause: "token",
    part: "Authorization",
    says: /expired at 2023-11-15/,
  },
  {
    name: "a changed token",
    change: (call) => ({ headers: { ...call.headers, Authorization: `${call.headers["Authorization"]}x` } }),
    step: 4,
    cause: "token",
    part: "Authorization",
    says: /not issued by this service, or was altered/,
  },
  {
    name: "another partner's id",
    change: withHeaders({ "X-PARTNER-ID": "beta" }),
    step: 5,
    cause: "header",
    part: "X-PARTNER-ID",
    says: /that of alpha, and X-PARTNER-ID says beta/,
  },
  {
    name: "a misspelt partner id of mode 1",
    change: withHeaders({ "X-PARTNER-ID": "alpa" }),
    step: 5,
    cause: "header",
    part: "X-PARTNER-ID",
    says: /token is that of alpha/,
  },
  {
    name: "UTC with Jakarta's offset",
    options: { timestamp: timestampOf(Date.now() - 7 * 3_600_000) },
    step: 6,
    cause: "timestamp",
    part: "X-TIMESTAMP",
    says: /exactly 7 hours behind/,
  },
  {
    name: "a clock an hour and a quarter ahead",
    options: { timestamp: timestampOf(Date.now() + 75 * 60_000) },
    step: 6,
    cause: "timestamp",
    part: "X-TIMESTAMP",
    says: /1 h 1[45] min.* ahead/,
  },
  {
    name: "another body than signed",
    options: { signedBody: "" },
    step: 7,
    cause: "bodyHash",
    part: "bodyHash",
    says: /hash of an empty body/,
  },
  {
    name: "another body than signed, mode 2",
    caller: gamma,
    options: { signedBody: "" },
    step: 7,
    cause: "bodyHash",
    part: "bodyHash",
    says: /hash of an empty body/,
  },
  {
    name: "a signature of nothing known",
    change: withHeaders({ "X-SIGNATURE": Buffer.alloc(64, 7).toString("base64") }),
    step: 7,
    cause: "unknown",
    part: "signature",
    says: /compare the string to sign/,
  },
  { name: "single quotes", given: "{'a':1}", step: 10, cause: "json", part: "1:2", says: /double quotes/ },
  {
    name: "a missing comma",
    given: '{\n  "a": 1\n  "b": 2\n}',
    step: 10,
    cause: "json",
    part: "3:3",
    says: /Line 3, column 3: , \} is expected, " was found/,
  },
  { name: "a name twice", given: '{"a":1,"a":2}', step: 10, cause: "json", part: "1:8", says: /"a" stands twice/ },
  {
    name: "a missing field, spelt otherwise",
    given: { ...body, sourceAccountNo: undefined, sourceAcountNo: "1" },
    step: 11,
    cause: "field",
    part: "sourceAccountNo",
    says: /you sent "sourceAcountNo"/,
  },
  {
    name: "an amount that is a number",
    given: { ...body, amount: { value: 10_000, currency: "IDR" } },
    step: 12,
    cause: "field",
    part: "amount.value",
    says: /is 10000; it is a text/,
  },
  {
    name: "a long text",
    given: { ...body, partnerReferenceNo: "9".repeat(65) },
    step: 12,
    cause: "field",
    part: "partnerReferenceNo",
    says: /65 characters; 64 are allowed/,
  },
  {
    name: "one of a list",
    given: { ...body, feeType: "MINE" },
    step: 12,
    cause: "field",
    part: "feeType",
    says: /one of OUR, BEN, SHA, 1000/,
  },
];

describe("a refused call is explained", () => {
  for (const one of cases) {
    test(one.name, async () => {
      const { refusal } = await refusalOf(one);
      const { step, diagnosis } = refusal;
      assert.deepEqual([step, diagnosis.cause, diagnosis.part], [one.step, one.cause, one.part], diagnosis.sentence);
      assert.match(diagnosis.sentence, one.says);
      assert.notEqual(diagnosis.translations.id, diagnosis.sentence);
      assert.doesNotMatch(diagnosis.sentence + diagnosis.translations.id, /[{]\w+[}]|undefined/);
    });
  }

  test("a call of a service that is not assigned, and one beyond the rate", async () => {
    await control.call("PUT", "partners/beta/settings", { services: ["15"] });
    const service = await refusalOf({ caller: beta });
    assert.deepEqual([service.refusal.step, service.refusal.diagnosis.part], [8, "service"]);
    await control.call("PUT", "partners/beta/settings", {
      services: ["15", "17"],
      rateLimit: { perSecond: 0.001, burst: 1 },
    });
    await beta.call(path, body);
    const rate = await refusalOf({ caller: beta });
    assert.deepEqual([rate.refusal.step, rate.refusal.diagnosis.part], [9, "rate"]);
  });

  test("with everything that is needed to compare, and nothing that is secret", async () => {
    const timestamp = timestampOf(Date.now());
    const text = JSON.stringify(body, null, 2);
    const { refusal } = await refusalOf({
      given: text,
      options: { timestamp, signedBody: JSON.stringify(body).toLowerCase() },
    });
    const token = await alpha.token();
    assert.match(refusal.stringToSign ?? "", /^POST:\/v1\.0\/transfer-intrabank:.*characters\):[0-9a-f]{64}:/);
    assert.ok(refusal.stringToSign?.endsWith(`:${refusal.bodyHash}:${timestamp}`));
    assert.notEqual(refusal.bodyHash, refusal.minifiedBodyHash);
    assert.ok(Math.abs(refusal.clockDifferenceMs ?? Infinity) < 60_000);
    assert.equal(refusal.diagnosis.sentenceId, "bodyHash.lowerCaseBody");
    const { index = 0, ours = "", theirs = "" } = refusal.differsAt ?? {};
    assert.ok(index > `POST:/v1.0/transfer-intrabank:${token}:`.length - 1 && ours !== theirs);
    const printed = JSON.stringify(await control.call("GET", "refusals?last=1000"));
    for (const { clientSecret } of file.partners) assert.ok(!printed.includes(clientSecret));
    assert.ok(!printed.includes(token) && !printed.includes(token.split(".")[1] ?? token));
  });

  test("to its partner alone, newest first", async () => {
    await refusalOf({ caller: gamma, options: { signedBody: "x" } });
    const all = await control.call<readonly RefusalView[]>("GET", "refusals?partnerId=gamma&last=2");
    assert.deepEqual(
      all.map(({ partnerId }) => partnerId),
      ["gamma", "gamma"],
    );
    assert.ok((all[0]?.at ?? "") > (all[1]?.at ?? ""));
    await assert.rejects(control.call("GET", "refusals?last=0"), /400.*from 1 to 1000/);
  });

  test("to its caller in debug mode", async () => {
    const debug = { "X-Debug-Mode": "true" };
    const { answer } = await refusalOf({ options: { signedBody: "", headers: debug } });
    const { debugMessage } = answer.fields["additionalInfo"] as Json;
    assert.match(String(debugMessage), /^You signed the hash of an empty body\. String to sign: POST:/);
    const { answer: plain } = await refusalOf({ options: { signedBody: "" } });
    assert.equal(plain.fields["additionalInfo"], undefined);
  });

  test("where the call is shown; one that passed has warnings instead", async () => {
    const { answer } = await refusalOf({ options: { signedBody: "" } });
    const refused = await control.call("GET", `calls/${answer.id}`);
    assert.equal((refused["diagnosis"] as Json)["cause"], "bodyHash");
    const pretty = JSON.stringify({ ...body, amount: { value: "10000", currency: "IDR" }, remarks: "x" }, null, 2);
    const accepted = await send(
      await alpha.sign(path, pretty, {
        signedBody: JSON.stringify(JSON.parse(pretty)),
        headers: { "CHANNEL-ID": "1" },
      }),
    );
    assert.equal(accepted.status, 200);
    const { warnings, diagnosis, stringToSign } = await control.call("GET", `calls/${accepted.id}`);
    assert.equal(diagnosis, undefined);
    assert.equal(typeof stringToSign, "string");
    assert.deepEqual(
      (warnings as readonly Json[]).map(({ sentenceId }) => sentenceId),
      ["warning.channel", "warning.minified", "warning.unknownField", "warning.decimals"],
    );
  });
});
