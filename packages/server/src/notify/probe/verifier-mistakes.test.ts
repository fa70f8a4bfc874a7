/** Small receivers that make each mistake of the list: the test notification names it, and no other. */
import assert from "node:assert/strict";
import { createHash, createHmac, generateKeyPairSync, verify } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, beforeEach, test } from "node:test";
import { text as readText } from "node:stream/consumers";
import { signRsa } from "@titian/contract";
import { createClock } from "../../basics/clock.ts";
import { createAddressGuard, sandboxRules } from "../address-guard.ts";
import { createHttpClient } from "../http-client.ts";
import { createNotificationSigner } from "../sign-notification.ts";
import { type ProbeResult, sendProbe } from "./probe.ts";
import { verifierMistakes } from "./verifier-mistakes.ts";

const secret = "c2VjcmV0LW9mLXRoZS1wYXJ0bmVy";
const token = "token-of-the-partner";

/** Parts that a receiver puts together; `undefined` leaves a part out. */
interface Seen {
  readonly path: string;
  readonly token: string | undefined;
  readonly body: string;
  readonly hash: string;
  readonly time: string;
}

interface Receiver {
  readonly sees?: (right: Seen) => Partial<Seen>;
  readonly text?: (text: string) => string;
  readonly verifies?: (text: string, signature: string) => boolean;
  readonly isOnTime?: (time: string) => boolean;
  readonly isMode2?: true;
}

const digest = (text: string, name = "sha256", encoding: "hex" | "base64" = "hex") =>
  createHash(name).update(text).digest(encoding);
const hashes = (write: (body: string) => string): Receiver => ({ sees: ({ body }) => ({ hash: digest(write(body)) }) });
const writes = (write: (value: unknown) => string) => hashes((body) => write(JSON.parse(body)));
const hmac = (text: string, key: string | Buffer = secret, name = "sha512") => createHmac(name, key).update(text);
const ascii = (json: string) => json.replaceAll("é", "\\u00e9");
const slashes = (json: string) => json.replaceAll("/", "\\/");
const html = (json: string) => json.replaceAll("<", "\\u003c").replaceAll(">", "\\u003e").replaceAll("&", "\\u0026");
const json = (value: unknown) => JSON.stringify(value);
/** No text of the body has either. */
const spaced = (value: unknown) => json(value).replaceAll('":', '": ').replaceAll(',"', ', "');
const standardNames = [
  "latestTransactionStatus",
  "beneficiaryAccountName",
  "beneficiaryAccountNo",
  "beneficiaryBankCode",
  "sourceAccountNo",
  "transactionDate",
  "originalPartnerReferenceNo",
  "originalReferenceNo",
  "amount",
  "additionalInfo",
];

const receivers: Readonly<Record<string, Receiver>> = {
  upperCaseHash: { sees: ({ hash }) => ({ hash: hash.toUpperCase() }) },
  base64Hash: { sees: ({ body }) => ({ hash: digest(body, "sha256", "base64") }) },
  hashOfOtherDigest: { sees: ({ body }) => ({ hash: digest(body, "sha512") }) },
  bodyItself: { sees: ({ body }) => ({ hash: body }) },
  hashOfNothing: hashes(() => ""),
  hashOfEmptyObject: hashes(() => "{}"),
  escapedSlashesAndUnicode: writes((value) => ascii(slashes(json(value)))),
  escapedSlashes: writes((value) => slashes(json(value))),
  escapedUnicode: writes((value) => ascii(json(value))),
  spaced: writes((value) => ascii(spaced(value))),
  spacedUnicode: writes(spaced),
  escapedHtml: writes((value) => html(json(value))),
  escapedHtmlOfGson: writes((value) => html(json(value)).replaceAll("=", "\\u003d").replaceAll("'", "\\u0027")),
  standardOrder: writes((value) => {
    const { amount, ...fields } = value as Readonly<
      Record<string, { readonly value?: string; readonly currency?: string }>
    >;
    const members = { ...fields, amount: { value: amount?.value, currency: amount?.currency } } as Record<
      string,
      unknown
    >;
    const names = standardNames.filter((name) => members[name] !== undefined);
    return json(Object.fromEntries(names.map((name) => [name, members[name]])));
  }),
  indentedByTwo: writes((value) => JSON.stringify(value, null, 2)),
  indentedByFour: writes((value) => JSON.stringify(value, null, 4)),
  stringTwice: hashes(json),
  lineBreakBehindBody: hashes((body) => `${body}\n`),
  pathWithoutQuery: { sees: ({ path }) => ({ path: path.split("?")[0] ?? "" }) },
  pathWithoutSlash: { sees: ({ path }) => ({ path: path.slice(1) }) },
  pathWithSlashBehind: { sees: ({ path }) => ({ path: path.replace("?", "/?") }) },
  pathWithoutVersion: { sees: ({ path }) => ({ path: path.replace("/v1.0", "") }) },
  tokenLeftOut: { sees: () => ({ token: undefined }) },
  tokenWithBearer: { sees: ({ token: own }) => ({ token: `Bearer ${own}` }) },
  emptyToken: { isMode2: true, sees: () => ({ token: "" }) },
  lineBreakBehind: { text: (text) => `${text}\n` },
  timeInUtc: { sees: ({ time }) => ({ time: new Date(time).toISOString() }) },
  timeWithOffsetOfUtc: { sees: ({ time }) => ({ time: new Date(time).toISOString().replace(".000Z", "+00:00") }) },
  timeWithoutColon: { sees: ({ time }) => ({ time: time.replace("+07:00", "+0700") }) },
  offsetUnread: { isOnTime: (time) => Math.abs(Date.parse(`${time.slice(0, 19)}Z`) - Date.now()) < 300_000 },
  hmacSha256: { verifies: (text, signature) => hmac(text, secret, "sha256").digest("base64") === signature },
  secretDecoded: {
    verifies: (text, signature) => hmac(text, Buffer.from(secret, "base64")).digest("base64") === signature,
  },
  tokenAsKey: { verifies: (text, signature) => hmac(text, token).digest("base64") === signature },
  signatureInHex: { verifies: (text, signature) => hmac(text).digest("hex") === signature },
};

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
const right: Receiver = {};
let receiver: Receiver | "rejects" = right;
/** Its words on the text that it verified, when it rejects. */
let debug = (_text: string, _hash: string): unknown => undefined;
let posts = 0;

function judge(seen: Seen, signature: string, { sees, text, verifies, isOnTime, isMode2 }: Receiver) {
  const { path, token: used, hash, time } = { ...seen, ...sees?.(seen) };
  const parts = ["POST", path, ...(used === undefined ? [] : [used]), hash, time];
  const verified = text?.(parts.join(":")) ?? parts.join(":");
  const bySecret = verifies ?? ((own: string) => hmac(own).digest("base64") === signature);
  const byKey = () => verify("sha256", Buffer.from(verified), publicKey, Buffer.from(signature, "base64"));
  const isVerified = (isMode2 ? byKey() : bySecret(verified, signature)) && (isOnTime?.(seen.time) ?? true);
  return { isVerified, verified, hash };
}

const server = createServer((request, response) => {
  const answer = async () => {
    if (request.url?.includes("/access-token/")) return json({ accessToken: token, expiresIn: "900" });
    posts += 1;
    const body = await readText(request);
    const { headers, url: path = "" } = request;
    const used = headers.authorization?.replace("Bearer ", "");
    const seen = { path, token: used, body, hash: digest(body), time: String(headers["x-timestamp"]) };
    const judged = judge(seen, String(headers["x-signature"]), receiver === "rejects" ? right : receiver);
    if (judged.isVerified && receiver !== "rejects")
      return json({ responseCode: "2007600", responseMessage: "Successful" });
    response.statusCode = 401;
    const said = debug(judged.verified, judged.hash);
    return json({ responseCode: "4017600", responseMessage: "Unauthorized. [Signature]", debug: said });
  };
  void answer().then((text) => response.end(text));
}).listen(0, "127.0.0.1");
await once(server, "listening");
const client = createHttpClient({ guard: createAddressGuard(sandboxRules), timeoutMs: 2_000, connections: 4 });
after(async () => {
  await client.close();
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  [receiver, posts, debug] = [right, 0, () => undefined];
});

const version = "v1.0";
const clock = createClock();

function probe(isMode2 = false): Promise<ProbeResult> {
  const sign = async (text: string) => signRsa(privateKey, text);
  const signer = createNotificationSigner({ sign, clientId: "titian", version, client, real: Date.now });
  const endpoint = {
    partner: "a",
    partnerId: "SHOP01",
    channelId: "95221",
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/base?tenant=7`,
    signing: isMode2 ? "asymmetric" : "symmetric",
    signedPath: "whole",
    secret,
  } as const;
  return sendProbe({ clock, signer, client, version }, endpoint, 76);
}

test("each mistake has a source and a receiver that makes it, and all are different", () => {
  assert.deepEqual(
    verifierMistakes.map(({ name }) => name),
    Object.keys(receivers),
  );
  for (const { name, source } of verifierMistakes) assert.ok(URL.canParse(source), name);
});

for (const [name, made] of Object.entries(receivers)) {
  test(`a receiver that makes the mistake ${name} is named`, async () => {
    receiver = made;
    const { failure, variations = [] } = await probe(made.isMode2);
    assert.equal(failure, "answered 4017600");
    const verified = variations.filter(({ isVerified }) => isVerified);
    assert.deepEqual(
      verified.map(({ mistake }) => mistake?.name),
      [name],
    );
  });
}

test("a receiver that verifies what is signed gets one test notification", async () => {
  const { failure, variations } = await probe();
  assert.deepEqual([failure, variations, posts], [undefined, undefined, 1]);
});

test("a receiver that verifies nothing that is known gets each mistake once", async () => {
  receiver = "rejects";
  const { variations = [], echo } = await probe();
  assert.equal(echo, undefined);
  assert.ok(variations.every(({ isVerified }) => !isVerified));
  // Beside the two modes with either path, whose first is what was sent at first.
  const inMode1 = verifierMistakes.filter(({ mode }) => mode !== "asymmetric");
  assert.equal(variations.filter(({ mistake }) => mistake !== undefined).length, inMode1.length);
  assert.equal(posts, 1 + 3 + inMode1.length);
});

const echoes: readonly (readonly [string, string, (text: string, hash: string) => unknown])[] = [
  ["its text", "pathWithoutVersion", (text) => ({ stringToSign: text })],
  ["its hash", "escapedSlashes", (_, hash) => `hash ${hash}`],
  ["its hash in capitals", "upperCaseHash", (_, hash) => hash],
  ["its signature", "tokenLeftOut", (text) => ({ expected: hmac(text).digest("base64") })],
];
for (const [what, name, says] of echoes) {
  test(`a reply that shows ${what} names the mistake, and no other test notification is sent`, async () => {
    receiver = receivers[name] ?? assert.fail();
    debug = says;
    const { echo, variations } = await probe();
    assert.equal(typeof echo === "object" ? echo.name : echo, name);
    assert.deepEqual([variations, posts], [undefined, 1]);
  });
}

test("a reply that shows our very text says that the key is another", async () => {
  receiver = "rejects";
  debug = (text) => text;
  assert.equal((await probe()).echo, "right");
});
