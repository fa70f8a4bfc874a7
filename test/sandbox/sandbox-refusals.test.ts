// Every kind of refusal by steps 1 to 12, made against a running sandbox, is explained as it happened.
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { request } from "undici";
import type { RefusalView } from "../../packages/control/src/calls/refusal-views.ts";
import type { Caller, Json, SignedCall } from "../support/black-box/caller.ts";
import { runCli } from "../support/cli/run-cli.ts";
import { startSandbox } from "../support/black-box/start-sandbox.ts";
import { timestampOf } from "../support/black-box/signer.ts";
import { type RefusalCase, refusalCases, transferOf } from "./refusal-cases.ts";

const sandbox = await startSandbox();
after(() => sandbox[Symbol.asyncDispose]());
const { control, file, agent } = sandbox;
const alpha = sandbox.caller("alpha");
const beta = sandbox.caller("beta");
const gamma = sandbox.caller("gamma");
const path = "transfer-intrabank";
const body = transferOf(alpha.partner.sourceAccounts[0] ?? "");

async function send({ path: target, headers, body: bytes, method = "POST" }: SignedCall & { method?: string }) {
  const answer = await request(`${file.baseUrl}${target}`, { dispatcher: agent, method, headers, body: bytes });
  const text = await answer.body.text();
  return {
    status: answer.statusCode,
    fields: JSON.parse(text) as Json,
    id: String(answer.headers["x-correlation-id"]),
  };
}

async function refusalOf({
  caller = alpha,
  given = (usual) => usual,
  change = () => ({}),
  options = {},
}: Partial<RefusalCase> & { readonly caller?: Caller }) {
  const signed = await caller.sign(path, given(body), options);
  const answer = await send({ ...signed, ...change(signed) });
  const [newest] = await control.call<readonly RefusalView[]>("GET", "refusals?last=1");
  assert.equal(newest?.id, answer.id, "the newest refusal is that of the call");
  return { refusal: newest, answer };
}

for (const { partner = "alpha", ...one } of refusalCases) {
  test(`explained: ${one.name}`, async () => {
    const { refusal } = await refusalOf({ ...one, caller: sandbox.caller(partner) });
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
    given: () => text,
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

test("a saved call is explained with the partner's credentials from the database", async () => {
  const { path: target, headers, body: text } = await alpha.sign(path, body, { signedBody: "" });
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const env = { DATABASE_URL: file.databaseUrl, TITIAN_SANDBOX: "1", TITIAN_DATA_DIR: sandbox.dataDir };
  const input = [`POST ${target} HTTP/1.1`, ...lines, "", String(text)].join("\r\n");
  const run = await runCli(["explain", "-", "--json"], { env, input });
  assert.equal(run.exitCode, 1, run.stderr);
  assert.equal(JSON.parse(run.stdout).diagnosis.sentenceId, "bodyHash.ofNothing", run.stderr);
});

test("a token of the service that has expired; the sandbox's clock does not go back", async () => {
  await alpha.token();
  await control.call("POST", "clock", { advanceSeconds: 1_000 });
  const { step, diagnosis } = (await refusalOf({})).refusal;
  assert.deepEqual([step, diagnosis.sentenceId], [4, "token.expired"], diagnosis.sentence);
  assert.match(diagnosis.sentence, /\d+ seconds before the call: get a new one from service 73\.$/);
});
