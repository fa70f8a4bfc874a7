/** Operations as forms, samples that work at once, and the programs that sign and send a call. */
import assert from "node:assert/strict";
import { resolve } from "node:path";
import { after, test } from "node:test";
import { request } from "undici";
import { exampleFiles } from "../../packages/sandbox/src/try/code/write-examples.ts";
import type { CodeLanguage, OperationView, SampleAnswer, SignedRequest } from "../../packages/sandbox/src/types.ts";
import type { Json } from "../support/black-box/caller.ts";
import { newNumber } from "../support/black-box/caller.ts";
import { startRailFixture } from "../support/black-box/rails/rail-fixture.ts";
import { idr, transferBody } from "../support/black-box/transfers.ts";
import { sendOperations } from "../support/shown-programs/run-collection.ts";
import { makeProgramDirectory, runExample, whyNot } from "../support/shown-programs/run-program.ts";

const stack = new AsyncDisposableStack();
after(() => stack.disposeAsync());
const fixture = stack.use(await startRailFixture());
const { control, sandbox } = fixture;
const { file } = sandbox;
await fixture.moveTo(fixture.at(0, "10:00:01"));
const { operations } = await control.call<{ readonly operations: readonly OperationView[] }>("GET", "operations");

const sampleOf = (operation: string, partnerId: string) =>
  control.call<SampleAnswer>("GET", `operations/${operation}/sample?partnerId=${partnerId}`);
const sign = (partnerId: string, operation: string, body: Json | string, more: Json = {}) =>
  control.call<SignedRequest>("POST", "sign", { partnerId, operation, body, ...more });

/** Sends a signed request as the page does: as it is. */
async function send({ path, method, headers, body }: SignedRequest) {
  const response = await request(`${file.baseUrl}${path}`, { method, headers, body });
  const answer = (await response.body.json()) as Json;
  return { code: String(answer["responseCode"]), answer };
}

for (const partnerId of ["alpha", "gamma"]) {
  test(`every operation's sample is signed and succeeds for ${partnerId}`, async () => {
    assert.equal(operations.length, 19);
    // A capture and a void need a payment, queries and refunds need these: that is the specification's order, but for 69.
    for (const { name, code } of operations) {
      const { body, needs } = await sampleOf(name, partnerId);
      assert.equal(needs, undefined, name);
      const { answer, code: found } = await send(await sign(partnerId, name, body));
      assert.match(found, new RegExp(`^20[02]${code}00$`), `${name}: ${JSON.stringify([body, answer])}`);
    }
  });
}

test("every operation of the collection, signed by its own script, succeeds", async () => {
  const { baseUrl, controlToken } = file;
  for (const partnerId of ["alpha", "gamma"]) {
    const answers = await sendOperations({ baseUrl, controlToken, partnerId, apiPath: "/v1.0" });
    assert.equal(answers.length, operations.length);
    for (const [name, answer] of answers) {
      assert.match(String(answer["responseCode"]), /^20[02]\d\d00$/, `${name}: ${JSON.stringify(answer)}`);
    }
  }
});

test("without a payment or transfer to be about, a sample says what to do first", async () => {
  const needs = await Promise.all(
    operations.map(async ({ name }) => [name, (await sampleOf(name, "beta")).needs?.operation] as const),
  );
  assert.deepEqual(Object.fromEntries(needs.filter(([, operation]) => operation !== undefined)), {
    authPaymentQuery: "authPayment",
    authCapture: "authPayment",
    authCaptureQuery: "authCapture",
    authVoid: "authPayment",
    authVoidQuery: "authVoid",
    authRefund: "authCapture",
    statusInquiryBank: "intrabankTransfer",
    statusInquiryNonBank: "intrabankTransfer",
  });
});

test("a form has the contract's fields: kinds, lengths, choices, lists", () => {
  const bulk = operations.find(({ name }) => name === "interbankBulkTransfer");
  const items = bulk?.fields.find(({ name }) => name === "bulkObject");
  assert.deepEqual([items?.kind, items?.presence, items?.minItems], ["list", "mandatory", 1]);
  const amount = items?.fields?.find(({ name }) => name === "amount");
  assert.deepEqual([amount?.kind, amount?.presence], ["money", "mandatory"]);
  const transfer = operations.find(({ name }) => name === "intrabankTransfer");
  const fee = transfer?.fields.find(({ name }) => name === "feeType");
  assert.deepEqual([fee?.options, fee?.presence], [["OUR", "BEN", "SHA", "1000"], "optional"]);
  const remark = transfer?.fields.find(({ name }) => name === "remark");
  assert.deepEqual([remark?.maxLength, typeof remark?.description], [50, "string"]);
});

test("a text is signed as it is; what cannot be signed is rejected", async () => {
  const text = '{ "beneficiaryAccountNo": "1009000001" ';
  const { body, ...signed } = await sign("alpha", "internalAccountInquiry", text);
  assert.equal(body, text);
  assert.equal((await send({ ...signed, body })).code, "4001500");
  await assert.rejects(sign("nobody", "intrabankTransfer", {}), /404.*unknownPartner/);
  await assert.rejects(sign("alpha", "bulkNotification", {}), /400.*operation/);
  await assert.rejects(sign("alpha", "intrabankTransfer", {}, { externalId: "a\r\nHost: x" }), /400.*externalId/);
  await assert.rejects(sign("alpha", "intrabankTransfer", {}, { customerToken: "a b" }), /400.*customerToken/);
});

test("a write that was sent before gets new numbers, in its items too; a read keeps those that it asks about", async () => {
  const { body } = await sampleOf("interbankBulkTransfer", "alpha");
  const text = JSON.stringify(body);
  const renewed = await sign("alpha", "interbankBulkTransfer", text, { newNumbers: true });
  const numbersIn = (from: string) =>
    [...from.matchAll(/"partner\w+No":"(\d+)"|"partnerBulkId":"(\d+)"/g)].map(([all]) => all);
  const before = new Set(numbersIn(text));
  const renewedNumbers = numbersIn(renewed.body);
  assert.deepEqual([renewedNumbers.length, renewedNumbers.filter((number) => before.has(number))], [before.size, []]);
  assert.equal(renewed.body.replaceAll(/\d{20}/g, ""), text.replaceAll(/\d{20}/g, ""));
  assert.equal((await send(renewed)).code, "2002000");
  const asked = { serviceCode: "20", originalPartnerReferenceNo: "1" };
  assert.equal((await sign("alpha", "statusInquiryBank", asked, { newNumbers: true })).body, JSON.stringify(asked));
});

test("a signed request and its programs hold no control token", async () => {
  for (const partnerId of ["alpha", "gamma"]) {
    const signed = JSON.stringify(await sign(partnerId, "intrabankTransfer", {}));
    assert.ok(!signed.includes(file.controlToken));
    for (const other of file.partners) {
      if (other.partnerId !== partnerId) assert.ok(!signed.includes(other.clientSecret));
    }
  }
});

interface PortalAnswer {
  readonly signature?: string;
  readonly error?: { readonly code: string; readonly field?: string };
}

interface RecordedCall {
  readonly id: string;
  readonly path: string;
}

/** A signature from keys in headers, as the portal of the standard has it. */
async function signAtPortal(name: string, headers: Readonly<Record<string, string>>, body = "") {
  const response = await request(`${file.baseUrl}/utilities/${name}`, { method: "POST", headers, body });
  const text = await response.body.text();
  return { status: response.statusCode, text, ...(JSON.parse(text) as PortalAnswer) };
}

test("signatures from the caller's own keys are the portal's, in hex, and are accepted", async () => {
  const { clientKey, clientSecret, privateKey } = sandbox.caller("alpha").partner;
  const oneLine = privateKey.replaceAll(/-----[A-Z ]+-----|\s/g, "");
  const token = await sign("alpha", "accessTokenB2b", { grantType: "client_credentials" });
  const timestamp = String(token.headers["X-TIMESTAMP"]);
  for (const key of [oneLine, privateKey.replaceAll("\n", " "), privateKey.replaceAll("\n", "\\n")]) {
    const headers = { "X-TIMESTAMP": timestamp, "X-CLIENT-KEY": clientKey, Private_Key: key };
    const { signature } = await signAtPortal("signature-auth", headers);
    assert.equal(signature, Buffer.from(String(token.headers["X-SIGNATURE"]), "base64").toString("hex"));
    const answered = await send({ ...token, headers: { ...token.headers, "X-SIGNATURE": String(signature) } });
    assert.equal(answered.code, "2007300");
  }
  const pretty = '{ "beneficiaryAccountNo": "1009000001" }';
  const call = await sign("alpha", "internalAccountInquiry", pretty);
  const given = {
    "X-TIMESTAMP": String(call.headers["X-TIMESTAMP"]),
    "X-CLIENT-SECRET": clientSecret,
    HttpMethod: "POST",
    EndpoinUrl: call.path,
    AccessToken: String(call.headers["Authorization"]).replace("Bearer ", ""),
  };
  const compact = await signAtPortal("signature-service", given, '{"beneficiaryAccountNo":"1009000001"}');
  const { signature } = await signAtPortal("signature-service", given, pretty);
  assert.match(String(signature), /^[0-9a-f]{128}$/);
  assert.equal(signature, compact.signature);
  const answered = await send({ ...call, headers: { ...call.headers, "X-SIGNATURE": String(signature) } });
  assert.equal(answered.code, "2001500");
});

test("a signature needs every header, a key that signs, and one of our host names; no answer shows a key", async () => {
  const { clientKey, clientSecret, publicKey } = sandbox.caller("alpha").partner;
  const given = { "X-TIMESTAMP": "2026-11-26T10:00:00+07:00", "X-CLIENT-KEY": clientKey };
  const missing = await signAtPortal("signature-auth", given);
  assert.deepEqual([missing.status, missing.error?.field], [400, "Private_Key"]);
  const noKey = publicKey.replaceAll("\n", "");
  const wrong = await signAtPortal("signature-auth", { ...given, Private_Key: noKey });
  assert.deepEqual([wrong.status, wrong.error?.field], [400, "Private_Key"]);
  assert.ok(!wrong.text.includes(noKey.slice(40, 80)));
  const secret = await signAtPortal("signature-service", { ...given, "X-CLIENT-SECRET": clientSecret });
  assert.deepEqual([secret.status, secret.error?.field], [400, "HttpMethod"]);
  assert.ok(!secret.text.includes(clientSecret));
  const elsewhere = await signAtPortal("signature-auth", { ...given, Private_Key: noKey, Host: "elsewhere.example" });
  assert.equal(elsewhere.status, 400);
  assert.match(elsewhere.text, /^\{"responseCode":"4000000","responseMessage":"Bad Request \[Host not served: /);
  const callsOfUtilities = async () => {
    const { calls } = await control.call<{ readonly calls: readonly RecordedCall[] }>("GET", "calls");
    return calls.filter(({ path }) => path.includes("utilities"));
  };
  assert.deepEqual(await callsOfUtilities(), []);
  const headers = { ...given, Private_Key: noKey, AccessToken: noKey };
  await request(`${file.baseUrl}/elsewhere/utilities/signature-auth`, { method: "POST", headers });
  const [recorded, ...others] = await callsOfUtilities();
  assert.deepEqual(others, []);
  const details = JSON.stringify(await control.call("GET", `calls/${recorded?.id}`));
  assert.ok(details.includes("Private_Key") && !details.includes(noKey.slice(40, 80)));
});

const shown = stack.use(makeProgramDirectory());

/** Each program loses an answer; starting the others' compilers again and again takes longer than all the rest. */
const faultsOf = (language: CodeLanguage) =>
  language === "sdk" ? [undefined, "loseAnswer", "error500"] : ["loseAnswer"];

for (const [language, example] of Object.entries(exampleFiles) as [CodeLanguage, string][]) {
  const skip = (await whyNot(language)) ?? false;
  test(`examples/calls/${example} pays, and once where its answer is lost`, { skip, timeout: 120_000 }, async () => {
    const path = resolve(import.meta.dirname, "../../examples/calls", example);
    await assert.rejects(runExample(language, path, "/nowhere"), /No \/nowhere\/sandbox\.json here: run it in the/);
    const [payer = ""] = sandbox.caller("alpha").partner.sourceAccounts;
    const [before = 0n] = await control.balances(payer);
    const faults = faultsOf(language);
    for (const fault of faults) {
      for (const operation of fault === undefined ? [] : ["73", "17"])
        await control.call("POST", "partners/alpha/faults", { fault, next: 1, operation });
      const { responseCode, additionalInfo } = await runExample(language, path, sandbox.dataDir);
      const first = (additionalInfo as { readonly originalResponse?: Json } | undefined)?.originalResponse;
      assert.equal(first?.["responseCode"] ?? responseCode, "2001700", fault);
    }
    const left = await control.call<{ readonly faults: readonly unknown[] }>("GET", "partners/alpha/faults");
    assert.deepEqual(left.faults, [], "each fault was met");
    const [now = 0n] = await control.balances(payer);
    assert.equal(before - now, BigInt(faults.length) * 250_000_00n);
  });
}

/** Characters that would leave a string, or be read by a shell or a formatter, were they not escaped. */
const hostile = `'"\\\`$(id)$HOME%s{}é😀\u2028`;

for (const language of ["curl", "sdk", "python", "java", "go", "php"] as const) {
  const skip = (await whyNot(language)) ?? false;
  test(`the ${language} program signs and sends the call`, { skip, timeout: 120_000 }, async () => {
    for (const [partnerId, from] of [
      ["alpha", "1001000001"],
      ["gamma", "1003000001"],
    ] as const) {
      const more = { customerReference: hostile, additionalInfo: { note: `${hostile}\n@/etc/passwd\u0041\\u0041` } };
      const body = transferBody({ from, to: "1009000001" }, { amount: idr("1000.00"), ...more });
      const { code } = await sign(partnerId, "intrabankTransfer", body, { externalId: newNumber() });
      const answer = await shown.run(language, code[language]);
      assert.equal(answer["responseCode"], "2001700", JSON.stringify(answer));
      if (language !== "sdk")
        assert.deepEqual([answer["customerReference"], answer["additionalInfo"]], Object.values(more));
    }
    const token = await sign("alpha", "accessTokenB2b", { grantType: "client_credentials" });
    assert.equal((await shown.run(language, token.code[language]))["responseCode"], "2007300");
  });

  test(`the ${language} program says why there is no answer it could use, and ends with 1`, { skip }, async () => {
    const { code } = await sign("alpha", "internalAccountInquiry", { beneficiaryAccountNo: "1009999999" });
    const rejected = await shown.fail(language, code[language]);
    assert.match(`${rejected.code} ${rejected.stdout}${rejected.stderr}`, /^1 .*4041511/);
    const { clientKey } = sandbox.caller("alpha").partner;
    const unknown = await shown.fail(language, code[language].replaceAll(clientKey, "nobody"));
    const said = `${unknown.code} ${unknown.stdout}${unknown.stderr}`;
    assert.match(said, /^1 .*Unknown client/);
    assert.match(said, /4017300/);
    const lost = await shown.fail(language, code[language].replace(file.baseUrl, "http://127.0.0.1:9"));
    assert.deepEqual([lost.code, lost.stdout], [1, ""]);
    // `go run` adds the last line.
    const line =
      language === "sdk" ? /^.*no response.*\n$/ : /^No answer from http\S+access-token\/b2b\n(exit status 1\n)?$/;
    assert.match(lost.stderr, line);
  });
}
