// Goal: only what the provider signed, now and for us, reaches a handler; each response is exactly the envelope.
// Method: deliveries signed with the published vectors' keys, then altered one by one, through the Fetch API.
import assert from "node:assert/strict";
import { test } from "node:test";
import { formatTimestamp, signRsa } from "@titian/contract";
import {
  bulk,
  bulkPath,
  type Delivery,
  deliver,
  otherPrivateKey,
  otherPublicKey,
  publicKey,
  rtgs,
  rtgsPath,
  sign,
  skn,
  sknPath,
  startTime,
  testReceiver,
} from "../helpers/provider.ts";
import vectors from "../../../../vectors/snap-test-vectors.json" with { type: "json" };

test("75 and 76 are answered with the envelope and nothing else, whatever the handler returns", async () => {
  const more = () => ({ bulkId: "no field of these" }) as unknown as undefined;
  for (const on of [undefined, { rtgs: more, skn: more }]) {
    const { receiver, handled } = testReceiver(on && { on });
    for (const [path, body, code] of [
      [rtgsPath, rtgs, "76"],
      [sknPath, skn, "75"],
    ] as const) {
      const answer = await deliver(receiver, sign(body, { path }));
      assert.equal(answer.status, 200);
      assert.deepEqual(answer.body, { responseCode: `200${code}00`, responseMessage: "Successful" });
      assert.equal(answer.headers.get("x-timestamp"), "2026-11-21T10:00:00+07:00");
      assert.equal(answer.headers.get("content-type"), "application/json");
    }
    if (on === undefined) assert.deepEqual(handled, [rtgs, skn]);
  }
});

test("21 may be answered with three more fields", async () => {
  const reply = { bulkId: bulk.bulkId, partnerBulkId: bulk.partnerBulkId, additionalInfo: { note: "taken" } };
  const on = { bulk: () => ({ ...reply, accountNo: "no field of the reply" }) };
  const answer = await deliver(testReceiver({ on }).receiver, sign(bulk, { path: bulkPath }));
  assert.deepEqual(answer.body, { responseCode: "2002100", responseMessage: "Successful", ...reply });
  const plain = await deliver(testReceiver().receiver, sign(bulk, { path: bulkPath }));
  assert.deepEqual(Object.keys(plain.body), ["responseCode", "responseMessage"]);
});

test("a handler gets the key of the notification, the bytes as sent, and a signal", async () => {
  const seen: unknown[] = [];
  const delivery = sign(rtgs);
  const { receiver } = testReceiver({
    on: {
      rtgs: (_notification, { serviceCode, number, status, externalId, bodyHash, rawBody, signal }) => {
        seen.push(serviceCode, number, status, externalId, bodyHash.length);
        seen.push(Buffer.from(rawBody).toString(), signal.aborted);
      },
    },
  });
  await deliver(receiver, delivery);
  const key = ["76", rtgs.originalReferenceNo, "00", "2026112100000001", 64];
  assert.deepEqual(seen, [...key, delivery.body, false]);
});

const notAccepted = async (change: (delivery: Delivery) => Delivery, expected: string, step: string) => {
  const { receiver, handled, rejected } = testReceiver();
  const answer = await deliver(receiver, change(sign(rtgs)));
  assert.equal(`${answer.status} ${String(answer.responseCode)} ${String(answer.body["responseMessage"])}`, expected);
  assert.deepEqual(Object.keys(answer.body), ["responseCode", "responseMessage"]);
  assert.deepEqual(handled, []);
  assert.deepEqual(
    rejected.map((one) => [one.step, one.responseCode]),
    [[step, answer.responseCode]],
  );
};

const withHeader = (name: string, value: string | undefined) => (delivery: Delivery) => {
  const { [name]: _old, ...headers } = delivery.headers;
  return { ...delivery, headers: value === undefined ? headers : { ...headers, [name]: value } };
};
const withBody = (change: (body: string) => string) => (delivery: Delivery) => ({
  ...delivery,
  body: change(String(delivery.body)),
});

const unsigned = "401 4017600 Unauthorized. [Signature]";
const late = "401 4017600 Unauthorized. [Timestamp]";
const seconds = (count: number) => formatTimestamp(startTime + count * 1_000);

const altered: readonly (readonly [name: string, (delivery: Delivery) => Delivery, answer: string, step: string])[] = [
  ["a letter of a value", withBody((body) => body.replace("Makmur", "Makmul")), unsigned, "signature"],
  ["a digit of the amount", withBody((body) => body.replace("150000000.00", "950000000.00")), unsigned, "signature"],
  ["the status", withBody((body) => body.replace('Status":"00"', 'Status":"06"')), unsigned, "signature"],
  ["a name", withBody((body) => body.replace("sourceAccountNo", "sourceAccountno")), unsigned, "signature"],
  ["a brace", withBody((body) => `${body}}`), unsigned, "signature"],
  ["white space added", withBody((body) => body.replace(",", ", ")), unsigned, "signature"],
  ["a line feed at the end", withBody((body) => `${body}\n`), unsigned, "signature"],
  ["an escape of the same meaning", withBody((body) => body.replace("Makmur", "\\u004dakmur")), unsigned, "signature"],
  ["no body", withBody(() => ""), unsigned, "signature"],
  ["the path", (sent) => ({ ...sent, path: sent.path.replace("/base", "/other") }), unsigned, "signature"],
  ["the path of another service", (sent) => ({ ...sent, path: sknPath }), unsigned.replace("76", "75"), "signature"],
  ["a query", (sent) => ({ ...sent, path: `${sent.path}?a=1` }), unsigned, "signature"],
  ["the time within the window", withHeader("x-timestamp", seconds(1)), unsigned, "signature"],
  ["the spelling of the time", withHeader("x-timestamp", "2026-11-21T03:00:00Z"), unsigned, "signature"],
  ["the signature", withHeader("x-signature", signRsa(otherPrivateKey, "text")), unsigned, "signature"],
  ["a signature that is none", withHeader("x-signature", "x"), unsigned, "signature"],
  ["a time too old", withHeader("x-timestamp", seconds(-301)), late, "timestamp"],
  ["a time in the future", withHeader("x-timestamp", seconds(301)), late, "timestamp"],
  ["another partner", withHeader("x-partner-id", "P-2"), "401 4017600 Unauthorized. [Unknown client]", "partner"],
  ...["X-TIMESTAMP", "X-SIGNATURE", "X-PARTNER-ID", "X-EXTERNAL-ID", "CHANNEL-ID"].map(
    (name) =>
      [
        `no ${name}`,
        withHeader(name.toLowerCase(), undefined),
        `400 4007602 Invalid Mandatory Field ${name}`,
        "headers",
      ] as const,
  ),
  ["a time without offset", withHeader("x-timestamp", "2026-11-21T10:00:00"), malformed("X-TIMESTAMP"), "headers"],
  ["an external id of other characters", withHeader("x-external-id", "a/b"), malformed("X-EXTERNAL-ID"), "headers"],
];

function malformed(name: string): string {
  return `400 4007601 Invalid Field Format ${name}`;
}

for (const [name, change, answer, step] of altered) {
  test(`altered, and not accepted: ${name}`, () => notAccepted(change, answer, step));
}

test("every single byte of the body is signed", async () => {
  const { receiver, handled } = testReceiver();
  const delivery = sign(rtgs);
  const bytes = Buffer.from(String(delivery.body));
  for (let at = 0; at < bytes.length; at += 1) {
    const body = Buffer.from(bytes);
    body.writeUInt8((bytes[at] ?? 0) ^ 1, at);
    assert.equal((await deliver(receiver, { ...delivery, body })).responseCode, "4017600", `byte ${at}`);
  }
  assert.deepEqual(handled, []);
});

test("the time window is inclusive, both ways, and a setting", async () => {
  for (const [window, offset, code] of [
    [undefined, 300, "2007600"],
    [undefined, -300, "2007600"],
    [60_000, 61, "4017600"],
    [60_000, -60, "2007600"],
  ] as const) {
    const { receiver } = testReceiver(window === undefined ? {} : { timestampWindowMs: window });
    const answer = await deliver(receiver, sign(rtgs, { timestamp: seconds(offset) }));
    assert.equal(answer.responseCode, code, `${offset} s`);
  }
});

test("old and new key verify while one replaces the other, and the old one no longer after that", async () => {
  const codes = async (providerPublicKeys: readonly string[]) => {
    const { receiver } = testReceiver({ keys: { mode: "asymmetric", providerPublicKeys } });
    const old = await deliver(receiver, sign(rtgs));
    const next = await deliver(receiver, sign(skn, { path: sknPath, privateKey: otherPrivateKey }));
    return [old.responseCode, next.responseCode];
  };
  assert.deepEqual(await codes([publicKey]), ["2007600", "4017500"]);
  assert.deepEqual(await codes([publicKey, otherPublicKey]), ["2007600", "2007500"]);
  assert.deepEqual(await codes([otherPublicKey]), ["4017600", "2007500"]);
});

test("a pretty-printed body verifies as sent, and not as the minified text", async () => {
  const { receiver, handled } = testReceiver();
  const pretty = JSON.stringify(rtgs, null, 2);
  assert.equal((await deliver(receiver, sign(pretty))).responseCode, "2007600");
  assert.deepEqual(handled, [rtgs]);
  const signedMinified = { ...sign(rtgs), body: pretty };
  assert.equal((await deliver(receiver, signedMinified)).responseCode, "4017600");
});

test("the signature may be hex, as some providers send it", async () => {
  const { receiver } = testReceiver();
  const delivery = sign(rtgs);
  const hex = Buffer.from(delivery.headers["x-signature"] ?? "", "base64").toString("hex");
  assert.equal((await deliver(receiver, withHeader("x-signature", hex)(delivery))).responseCode, "2007600");
});

test("the path is signed as the provider sent it: a query, and a prefix that a proxy removed", async () => {
  const queried = sign(rtgs, { path: `${rtgsPath}?tenant=1` });
  assert.equal((await deliver(testReceiver().receiver, queried)).responseCode, "2007600");
  const stripped = { ...sign(rtgs, { path: `/bank${rtgsPath}` }), path: rtgsPath };
  assert.equal((await deliver(testReceiver().receiver, stripped)).responseCode, "4017600");
  const behind = testReceiver({ publicPath: (path) => `/bank${path}` });
  assert.equal((await deliver(behind.receiver, stripped)).responseCode, "2007600");
});

test("other paths are 404, other methods 405", async () => {
  const { receiver, rejected } = testReceiver({ on: { rtgs: () => undefined } });
  const code = async (path: string, method = "POST") => {
    const answer = await deliver(receiver, { ...sign(rtgs, { path: rtgsPath }), path }, method);
    return `${answer.status} ${String(answer.responseCode)} ${String(answer.body["responseMessage"])}`;
  };
  for (const path of ["/", "/v1.0/transfer-rtgs", `${rtgsPath}/`, "/not-transfer-rtgs/notify", sknPath]) {
    assert.equal(await code(path), "404 4040000 Unknown Path", path);
  }
  assert.equal(await code(rtgsPath, "GET"), "405 4057600 Requested Function Is Not Supported");
  assert.ok(rejected.every(({ step }) => step === "path"));
});

const signedBodies: readonly (readonly [name: string, body: string | Buffer, answer: string])[] = [
  ["not JSON", "{", "4007600 Bad Request [Not JSON]"],
  ["empty", "", "4007600 Bad Request [Not JSON]"],
  ["a list", "[]", "4007600 Bad Request [Not an object]"],
  ["a duplicate key", '{"a":1,"a":2}', "4007600 Bad Request [Duplicate key]"],
  ["not UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), "4007600 Bad Request [Not UTF-8]"],
  [
    "a field missing",
    '{"additionalInfo":{"partnerId":"PARTNER-1"}}',
    "4007602 Invalid Mandatory Field latestTransactionStatus",
  ],
  [
    "a field malformed",
    JSON.stringify({ ...rtgs, latestTransactionStatus: "settled" }),
    "4007601 Invalid Field Format latestTransactionStatus",
  ],
];

for (const [name, body, expected] of signedBodies) {
  test(`signed, and still not accepted: ${name}`, async () => {
    const { receiver, handled, rejected } = testReceiver();
    const answer = await deliver(receiver, sign(body));
    assert.equal(`${String(answer.responseCode)} ${String(answer.body["responseMessage"])}`, expected);
    assert.deepEqual(handled, []);
    assert.equal(rejected[0]?.step, "fields");
  });
}

test("128 KiB, and 8 MiB for 21", async () => {
  const { receiver, rejected } = testReceiver();
  const filled = (size: number) => JSON.stringify({ ...rtgs, filler: "x".repeat(size) });
  assert.equal((await deliver(receiver, sign(filled(130_000)))).responseCode, "2007600");
  assert.equal((await deliver(receiver, sign(filled(132_000)))).responseCode, "4007600");
  const manyBytes = JSON.stringify({ ...bulk, filler: "x".repeat(7_000_000) });
  assert.equal((await deliver(receiver, sign(manyBytes, { path: bulkPath }))).responseCode, "2002100");
  const tooMany = JSON.stringify({ ...bulk, filler: "x".repeat(8_400_000) });
  assert.equal((await deliver(receiver, sign(tooMany, { path: bulkPath }))).responseCode, "4002100");
  assert.deepEqual(
    rejected.map(({ step }) => step),
    ["body", "body"],
  );
});

test("the observer gets the text to sign and no secret; the answer neither; what it throws is ignored", async () => {
  const { receiver, rejected } = testReceiver();
  await deliver(receiver, withBody((body) => `${body} `)(sign(rtgs)));
  assert.match(
    rejected[0]?.cause ?? "",
    /POST:\/base\/v1\.0\/transfer-rtgs\/notify:[0-9a-f]{64}:2026-11-21T10:00:00\+07:00$/,
  );
  assert.equal(rejected[0]?.externalId, "2026112100000001");
  const throwing = testReceiver({
    onRejected() {
      throw new Error("no log");
    },
  });
  assert.equal((await deliver(throwing.receiver, { ...sign(rtgs), body: "{}" })).responseCode, "4017600");
});

test("G8: the vector of a notification verifies, and is made anew", async () => {
  const vector = vectors.generated.vectors.find(({ id }) => id === "G8");
  assert.ok(vector?.path !== undefined && vector.bodyAsSent !== undefined);
  const { path, timestamp, bodyAsSent, signatureBase64 } = vector;
  const delivery = sign(bodyAsSent, { path, timestamp });
  assert.equal(delivery.headers["x-signature"], signatureBase64);
  const clock = { now: () => Date.parse(timestamp) };
  const { receiver, handled } = testReceiver({ clock, partnerIdInBody: "optional" });
  assert.equal((await deliver(receiver, delivery)).responseCode, "2007600");
  assert.deepEqual(handled, [JSON.parse(bodyAsSent)]);
});
