// Cases that the sandbox's tests cannot make happen: token calls signed wrongly, moved clocks, every fault of JSON,
// hostile bodies.
import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import { type CallEvidence, explainRefusal, type PartnerSecrets } from "@titian/explain";
import { makeSigner, signWith } from "./wrong-signer.ts";

const signer = makeSigner("alpha", "symmetric");
const partner: PartnerSecrets = {
  ...signer,
  key: "key-of-alpha",
  status: "active",
  secrets: [signer.clientSecret],
  publicKeys: [signer.publicKey],
  channelId: "95221",
  channelIdLengthMax: 5,
  acceptsMinifiedSignature: true,
  timestampWindowMs: 300_000,
};
const timestamp = "2026-11-21T10:00:00+07:00";
const at = Date.parse(timestamp);

function explain(evidence: Partial<CallEvidence>, headers: Readonly<Record<string, string>> = {}) {
  const call: CallEvidence = {
    method: "POST",
    target: "/v1.0/access-token/b2b",
    rawHeaders: Object.entries({ "X-TIMESTAMP": timestamp, "X-CLIENT-KEY": signer.clientKey, ...headers }).flat(),
    body: Buffer.from('{"grantType":"client_credentials"}'),
    at,
    businessTime: at,
    operation: "accessTokenB2b",
    rejectedAt: 7,
    rejection: { case: "unauthorized", reason: "Signature" },
    responseCode: "4017300",
    paths: { prefixes: [""], versions: ["v1.0"] },
    ...evidence,
  };
  return explainRefusal(call, [partner]);
}

const rsa = (text: string) => signWith.rsa("sha256", signer.privateKey)(text).toString("base64");
const { clientKey } = signer;
const tokenCalls: readonly (readonly [string, string, string])[] = [
  ["a colon", rsa(`${clientKey}:${timestamp}`), "encoding"],
  ["a line break", rsa(`${clientKey}|${timestamp}\n`), "encoding"],
  ["another time", rsa(`${clientKey}|2026-11-21T03:00:00Z`), "timestamp"],
  ["the partner id", rsa(`alpha|${timestamp}`), "header"],
  ["reversed", rsa(`${timestamp}|${clientKey}`), "mode"],
  ["HMAC", createHmac("sha512", signer.clientSecret).update(`${clientKey}|${timestamp}`).digest("base64"), "algorithm"],
  ["SHA-512", signWith.rsa("sha512", signer.privateKey)(`${clientKey}|${timestamp}`).toString("base64"), "algorithm"],
  ["PSS", signWith.pss(signer.privateKey)(`${clientKey}|${timestamp}`).toString("base64"), "algorithm"],
  ["base64url", rsa(`${clientKey}|${timestamp}`).replaceAll("+", "-").replaceAll("/", "_"), "encoding"],
  ["another text", rsa("something else"), "unknown"],
];
for (const [name, signature, cause] of tokenCalls) {
  test(`a token call signed with ${name} is told: ${cause}`, () => {
    const { diagnosis, stringToSign } = explain({}, { "X-SIGNATURE": signature });
    assert.equal(diagnosis.cause, cause, diagnosis.sentence);
    assert.equal(stringToSign, `${clientKey}|${timestamp}`);
  });
}

test("the difference is that to the nearer clock, real or moved", () => {
  const day = 86_400_000;
  const moved = explain({ at: at - 5_000, businessTime: at + 30 * day });
  assert.deepEqual([moved.clockDifferenceMs, moved.ourClock], [5_000, "2026-11-21T09:59:55+07:00"]);
  const followed = explain({ at: at - 30 * day, businessTime: at + 2_000 });
  assert.deepEqual([followed.clockDifferenceMs, followed.ourClock], [-2_000, "2026-11-21T10:00:02+07:00"]);
  const zone = { at: at + 7 * 3_600_000, businessTime: at + 5 * 3_600_000, rejectedAt: 6 } as const;
  assert.equal(explain({ ...zone, rejection: { case: "unauthorized" } }).diagnosis.sentenceId, "time.utcAsJakarta");
});

test("a call without its body is not said to be right", () => {
  const told = explain({ rejectedAt: undefined, rejection: undefined, body: undefined });
  assert.equal(told.diagnosis.sentenceId, "call.withoutBody");
});

const production = { prefixes: ["/snap"], versions: ["v1.0"], aliases: { authPayment: ["debit/auth"] } };
const unservedPaths: readonly (readonly [string, string, string])[] = [
  ["/bank/v1.0/transfer-intrabank", "call.unknownPrefix", "TITIAN_PATH_PREFIX"],
  ["/v1.0/transfer-intrabank", "call.unknownPrefix", "TITIAN_PATH_PREFIX"],
  ["/snap/v2.0/transfer-intrabank", "call.unknownVersion", "TITIAN_VERSIONS"],
  ["/snap/v1.0/transfer/intrabank", "call.unknownSuffixNear", "TITIAN_PATH_ALIASES"],
  ["/snap/v1.0/emoney/topup", "call.unknownSuffix", "TITIAN_PATH_ALIASES"],
  ["/bank/v1.0/debit/auth", "call.unknownPrefix", "/snap/v1.0/debit/auth"],
  ["/transfer-intrabank", "call.missingRoot", "/snap/v1.0/transfer-intrabank"],
  ["/snap/v1.0/debit/auth/", "call.trailingSlash", "/snap/v1.0/debit/auth"],
];
for (const [target, id, names] of unservedPaths) {
  test(`outside the sandbox the explanation of ${target} names ${names}`, () => {
    const rejection = { case: "invalidTransactionStatus" } as const;
    const { diagnosis } = explain({ target, operation: undefined, rejectedAt: 1, rejection, paths: production });
    assert.equal(diagnosis.sentenceId, id, diagnosis.sentence);
    assert.ok(diagnosis.sentence.includes(names), diagnosis.sentence);
  });
}

const faults: readonly (readonly [string | Buffer, string, string])[] = [
  ["", "json.empty", "body"],
  ['{"a":1', "json.endsEarly", "1:7"],
  ['{"a":1,}', "json.trailingComma", "1:8"],
  ['{"a" 1}', "json.expected", "1:6"],
  ["{a:1}", "json.unquotedKey", "1:2"],
  ['{"a":True}', "json.word", "1:6"],
  ['{"a":01}', "json.number", "1:6"],
  ['{"a":.5}', "json.number", "1:6"],
  ['{"a":}', "json.expectedValue", "1:6"],
  ['{"a":"\n"}', "json.control", "1:7"],
  ['{"a":"\\x"}', "json.escape", "1:7"],
  ['{"é😀":1} x', "json.afterEnd", "1:10"],
  ["// x", "json.expectedValue", "1:1"],
];
for (const [text, id, part] of faults) {
  test(`${JSON.stringify(text)} is told as ${id}`, () => {
    const { diagnosis } = explain({
      body: Buffer.from(text),
      rejectedAt: 10,
      rejection: { case: "badRequest", reason: "Not JSON" },
    });
    assert.deepEqual([diagnosis.sentenceId, diagnosis.part, diagnosis.cause], [id, part, "json"]);
  });
}

test("a byte that is not UTF-8 is told by its place", () => {
  const body = Buffer.concat([Buffer.from('{\n"é": "'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')]);
  const rejection = { case: "badRequest", reason: "Not UTF-8" } as const;
  const { diagnosis } = explain({ body, rejectedAt: 10, rejection });
  assert.deepEqual(diagnosis.parameters, { offset: "10", line: "2", column: "7" });
});

test("a sentence ends without a space where nothing more can be said of the field", () => {
  const rejection = { case: "invalidMandatoryField", field: "zzzzzz" } as const;
  const { diagnosis } = explain({ body: Buffer.from("{}"), rejectedAt: 11, rejection });
  assert.equal(diagnosis.sentence, "zzzzzz is mandatory and missing, empty or null.");
});

const hostile = {
  brackets: "[".repeat(65_000),
  numbers: `{"a":[${"1,".repeat(30_000)}1]}`,
  members: `{${Array.from({ length: 6_000 }, (_, index) => `"n${index}":1`).join(",")}}`,
  backslashes: `{"a":"${"\\".repeat(60_000)}`,
  direction: `{"a":"${"\u202e".repeat(20_000)}"}`,
  zeros: "\0".repeat(65_536),
};
for (const [name, text] of Object.entries(hostile)) {
  for (const rejectedAt of [7, 10, 12]) {
    test(`a body of ${name} refused at step ${rejectedAt} is explained`, () => {
      const { diagnosis } = explain(
        { body: Buffer.from(text), rejectedAt, rejection: { case: "invalidMandatoryField", field: "grantType" } },
        { "X-SIGNATURE": Buffer.alloc(256, 7).toString("base64") },
      );
      assert.ok(diagnosis.sentence.length < 1_000);
      assert.doesNotMatch(diagnosis.sentence, /[\p{Cc}\p{Cf}]/u);
    });
  }
}

test("neither token nor secrets of the query are shown in the string to sign", () => {
  const token = "eyJhbGciOiJIUzI1NiJ9.e30.sig0123456789";
  const query = `access_token=${token}&client_secret=hunter2hunter2&tenant=7`;
  const { stringToSign = "" } = explain(
    { target: `/v1.0/transfer-intrabank?${query}`, operation: "intrabankTransfer", responseCode: "4011700" },
    { Authorization: `Bearer ${token}`, "X-PARTNER-ID": "alpha", "X-SIGNATURE": "a".repeat(88) },
  );
  assert.match(stringToSign, /^POST:\/v1\.0\/transfer-intrabank\?access_token=…&client_secret=…&tenant=7:eyJhbG… /);
  assert.doesNotMatch(stringToSign, /sig0123456789|hunter2/);
});

const secrets: readonly (readonly [string, Partial<CallEvidence>, Readonly<Record<string, string>>])[] = [
  [
    "a malformed X-SIGNATURE",
    { rejectedAt: 3, rejection: { case: "invalidFieldFormat", field: "X-SIGNATURE" } },
    { "X-SIGNATURE": "hunter2, hunter2" },
  ],
  ["a number", secretBody('{"grantType":{"pin":42424242}}'), {}],
  ["a list", secretBody('{"grantType":{"otp":["42424242"]}}'), {}],
  ["a malformed number", secretJson('{"pin":042424242}'), {}],
  ["a word", secretJson('{"otp":[hunter2]}'), {}],
  ["half a character", secretJson('{"token":{"a":"hunter2\\ud800"}}', "Lone surrogate"), {}],
  [
    "a token cut in two",
    { rejectedAt: 4, rejection: { case: "invalidToken" }, operation: "intrabankTransfer" },
    { Authorization: "hunter2 hunter2" },
  ],
];

function secretBody(body: string): Partial<CallEvidence> {
  return { body: Buffer.from(body), rejectedAt: 12, rejection: { case: "invalidFieldFormat", field: "grantType" } };
}

function secretJson(body: string, reason = "Not JSON"): Partial<CallEvidence> {
  return { body: Buffer.from(body), rejectedAt: 10, rejection: { case: "badRequest", reason } };
}

for (const [name, evidence, headers] of secrets) {
  test(`no sentence shows a secret: ${name}`, () => {
    const { diagnosis } = explain(evidence, headers);
    assert.notEqual(diagnosis.cause, "unknown");
    assert.doesNotMatch(JSON.stringify(diagnosis), /424242|hunter2/);
  });
}

const token = ["e30", Buffer.from(JSON.stringify({ exp: at / 1_000 - 60 })).toString("base64url"), "c2ln"].join(".");
const customerClaims = Buffer.from(JSON.stringify({ exp: at / 1_000 - 60, aud: "titian:b2b2c" })).toString("base64url");
for (const [issued, authorization, customerAuthorization] of [
  [undefined, "token.saysExpired", "customerToken.saysExpired"],
  [[], "token.notOurs", "customerToken.invalid"],
  [[token], "token.expired", "customerToken.expired"],
] as const) {
  test(`a token is said to have expired only if the service issued it: ${issued?.length ?? "not known"}`, () => {
    const call = { rejectedAt: 4, operation: "intrabankTransfer", tokensIssuedHere: issued } as const;
    const own = explain({ ...call, rejection: { case: "invalidToken" } }, { Authorization: `Bearer ${token}` });
    assert.equal(own.diagnosis.sentenceId, authorization);
    const customers = token.replace(/\.[^.]+/, `.${customerClaims}`);
    const customer = explain(
      {
        ...call,
        rejection: { case: "invalidCustomerToken" },
        tokensIssuedHere: issued?.map(() => customers),
      },
      { "Authorization-Customer": `Bearer ${customers}` },
    );
    assert.equal(customer.diagnosis.sentenceId, customerAuthorization);
  });
}

const usd = { value: "1.00", currency: "USD" };
const item = (partnerReferenceNo: string) => ({ partnerReferenceNo });
const fields: readonly (readonly [CallEvidence["operation"], string, object, string, RegExp])[] = [
  [
    "requestForPayment",
    "expiredDatetime",
    { expiredDatetime: "2026-11-21T09:59:59+07:00" },
    "field.past",
    /10:00:00\+07/,
  ],
  [
    "requestForPayment",
    "expiredDatetime",
    { expiredDatetime: "2999-01-01T00:00:00+07:00" },
    "field.tooFarAhead",
    /at most 90 days/,
  ],
  ["requestForPayment", "expiredDatetime", { expiredDatetime: "tomorrow" }, "field.format", /ISO 8601/],
  [
    "authPayment",
    "additionalInfo.validUpTo",
    { additionalInfo: { validUpTo: timestamp } },
    "field.validity",
    /90 days/,
  ],
  ["authPayment", "additionalInfo.validUpTo", { additionalInfo: { validUpTo: "x" } }, "field.format", /ISO 8601/],
  [
    "authPayment",
    "additionalInfo.sourceAccountNo",
    { additionalInfo: { sourceAccountNo: 1 } },
    "field.notText",
    /is 1;/,
  ],
  [
    "interbankBulkTransfer",
    "bulkObject[2].partnerReferenceNo",
    { bulkObject: [item("A"), item("B"), item("B")] },
    "field.repeatedItem",
    /"B", the same as bulkObject\[1\]\.partnerReferenceNo:/,
  ],
  [
    "intrabankTransfer",
    "amount.value",
    { amount: { value: "150.50", currency: "JPY" } },
    "field.tooFine",
    /\(0 for JPY\).*"150"/,
  ],
  [
    "authCapture",
    "captureAmount.value",
    { captureAmount: { ...usd, value: "1.001" } },
    "field.tooFine",
    /\(2 for USD\)/,
  ],
  ["intrabankTransfer", "amount.value", { amount: { ...usd, value: "1".repeat(17) } }, "field.tooLarge", /16/],
  ["intrabankTransfer", "amount.value", { amount: { ...usd, value: "1,000.00" } }, "field.notAmount", /1,000\.00/],
  ["intrabankTransfer", "amount.currency", { amount: { ...usd, currency: "ABC" } }, "field.format", /ISO 4217/],
  ["intrabankTransfer", "amount.currency", { amount: usd }, "field.currency", /differs/],
  ["interbankBulkTransfer", "bulkObject", { bulkObject: [] }, "field.listLength", /0 entries; 1 to/],
];
for (const [operation, field, body, id, says] of fields) {
  test(`step 12, ${field}: ${JSON.stringify(body).slice(0, 80)} is told as ${id}`, () => {
    const call = { operation, rejectedAt: 12, body: Buffer.from(JSON.stringify(body)) } as const;
    const { diagnosis } = explain({ ...call, rejection: { case: "invalidFieldFormat", field } });
    assert.deepEqual([diagnosis.sentenceId, diagnosis.part], [id, field], diagnosis.sentence);
    assert.match(diagnosis.sentence, says);
    assert.doesNotMatch(diagnosis.sentence + diagnosis.translations.id, /\{\w+\}|undefined/);
  });
}
