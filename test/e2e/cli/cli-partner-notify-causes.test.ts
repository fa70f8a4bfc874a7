/** `titian partner notify --test`, answered 401: variations of what is signed are tried, and the setting to change is named. */
import assert from "node:assert/strict";
import { createHash, createHmac, verify } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, beforeEach, test } from "node:test";
import { createMemoryStore, createReceiver } from "@titian/client";
import { type Endpoint, type Received, startEndpoint } from "../../support/black-box/endpoint.ts";
import { startSandbox } from "../../support/black-box/start-sandbox.ts";
import { runCli } from "../../support/cli/run-cli.ts";

const stack = new AsyncDisposableStack();
after(() => stack.disposeAsync());
const sandbox = stack.use(await startSandbox());
const { control, dataDir, file } = sandbox;
const { clientSecret } = sandbox.caller("alpha").partner;
const set = (settings: Readonly<Record<string, string>>) => control.call("PUT", "partners/alpha/settings", settings);
beforeEach(() => set({ notificationSigning: "asymmetric", notificationSignedPath: "whole" }));

const hashOf = (text: string) => createHash("sha256").update(text).digest("hex");

/** A receiver by itself: the path that it knows, and how it writes the hash. */
function verifies(mode: 1 | 2, pathOf: (path: string) => string, spell = (hash: string) => hash) {
  return ({ path, headers, text }: Received): boolean => {
    const signature = headers["x-signature"] ?? "";
    const token = headers["authorization"]?.replace("Bearer ", "");
    const parts = [pathOf(path), ...(mode === 1 ? [token] : []), spell(hashOf(text)), headers["x-timestamp"]];
    const signed = `POST:${parts.join(":")}`;
    if (mode === 1) return createHmac("sha512", clientSecret).update(signed).digest("base64") === signature;
    return verify("sha256", Buffer.from(signed), file.provider.publicKey, Buffer.from(signature, "base64"));
  };
}

const whole = (path: string) => path;
const behindBase = (path: string) => path.replace(/^\/merchant/, "").replace(/\?.*/, "");

interface Probe {
  readonly accepted: boolean;
  readonly advice: string;
  readonly variations: readonly { readonly httpStatus?: number; readonly isVerified: boolean }[];
}

async function run(endpoint: Pick<Endpoint, "url">, ...options: readonly string[]) {
  const line = ["partner", "notify", "alpha", "--test", "--url", endpoint.url, ...options];
  const ran = await runCli(line, { env: { TITIAN_DATA_DIR: dataDir } });
  assert.equal(ran.exitCode, 1, ran.stdout + ran.stderr);
  assert.doesNotMatch(ran.stdout + ran.stderr, /s3cret/);
  return ran.stdout;
}

const receiverOf = async (accepts: (received: Received) => boolean, path = "/merchant?tenant=s3cret") =>
  stack.use(await startEndpoint(path, { verifies: accepts }));

async function probe(accepts: (received: Received) => boolean) {
  const endpoint = await receiverOf(accepts);
  const result = JSON.parse(await run(endpoint, "--json")) as Probe;
  const { received } = endpoint;
  assert.equal(new Set(received.map(({ headers }) => headers["x-external-id"])).size, received.length);
  return { ...result, posts: received.length };
}

const causes: readonly (readonly [string, (received: Received) => boolean, RegExp, number])[] = [
  [
    "the path behind its base",
    verifies(2, behindBase),
    /accepts the path behind its base: titian partner change alpha --notification-signed-path service$/,
    2,
  ],
  ["mode 1", verifies(1, whole), /verifies mode 1: titian partner change alpha --notification-signing symmetric$/, 3],
  [
    "mode 1, and the path behind its base",
    verifies(1, behindBase),
    /--notification-signing symmetric --notification-signed-path service$/,
    4,
  ],
  [
    "an upper-case hash",
    verifies(2, whole, (hash) => hash.toUpperCase()),
    /writes the hash of the body in upper-case hex.*lower-case/,
    5,
  ],
];
for (const [name, receiver, advice, posts] of causes) {
  test(`a receiver that verifies ${name}: it is named in one sentence`, async () => {
    const result = await probe(receiver);
    assert.match(result.advice, advice);
    assert.equal(result.posts, posts);
    assert.deepEqual(
      result.variations.map(({ isVerified }) => isVerified),
      [...Array.from({ length: posts - 2 }, () => false), true],
    );
  });
}

test("a receiver that hashes what its framework writes anew: it is named, and how to correct it", async () => {
  const escaped = (received: Received) => ({ ...received, text: received.text.replaceAll("/", "\\/") });
  const accepts = verifies(2, whole);
  const endpoint = await receiverOf((received) => accepts(escaped(received)));
  assert.match(
    await run(endpoint),
    /usual mistakes of receivers: HTTP 401 4010000; escapedSlashes: HTTP 200 [^]*The receiver hashes the body parsed and written anew, [^]*: it must hash the raw bytes/,
  );
});

test("the other way round: what is set is not what the receiver verifies", async () => {
  await set({ notificationSigning: "symmetric", notificationSignedPath: "service" });
  const result = await probe(verifies(2, whole));
  assert.match(result.advice, /--notification-signing asymmetric --notification-signed-path whole$/);
});

test("nothing is accepted: what was tried is listed, and the advice is to compare", async () => {
  const endpoint = stack.use(await startEndpoint("", { verifies: () => false, issuesTokens: false }));
  const text = await run(endpoint);
  assert.match(
    text,
    /\nalso tried +mode 1: no token; 28 usual mistakes of receivers: HTTP 401 4010000\n[^]*Compare there: the string to sign/,
  );
  // The path is the same either way, and no token is issued.
  assert.equal(endpoint.received.length, 29);
});

test("a receiver of another partner: the id is named, and no variation of the signature is tried", async () => {
  const receiver = createReceiver({
    partnerId: "beta",
    keys: { mode: "asymmetric", providerPublicKeys: [file.provider.publicKey] },
    store: createMemoryStore(),
    on: { rtgs: () => assert.fail("handled") },
  });
  let posts = 0;
  const server = createServer((request, response) => {
    posts += 1;
    receiver.nodeListener(request, response);
  }).listen(0, "127.0.0.1");
  stack.defer(() => void server.close());
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/merchant`;
  const { advice, variations } = JSON.parse(await run({ url }, "--json")) as Probe;
  assert.match(advice, /^The receiver is not that of alpha.*titian partner change alpha --notification-address/);
  assert.deepEqual([variations, posts], [undefined, 1]);
});

test("a variation that gets no reply is the last one, and names nothing", async () => {
  const endpoint = await receiverOf(() => false);
  endpoint.replies.push({ status: 401, body: { responseCode: "4017600" } });
  endpoint.replies.push({ misbehave: (response) => void response.destroy() });
  const { advice, variations } = JSON.parse(await run(endpoint, "--json")) as Probe;
  assert.match(advice, /Compare there/);
  assert.deepEqual([variations.length, variations[0]?.isVerified, endpoint.received.length], [1, false, 2]);
});

interface Kept {
  readonly test: {
    readonly at: string;
    readonly url: string;
    readonly httpStatus: number;
    readonly reply?: string;
    readonly explanation: { readonly sentence: string; readonly translations: { readonly id: string } };
  } | null;
}

test("the last test is kept, the command's and the console's, with what it named in both languages", async () => {
  const route = "partners/alpha/receiver-test";
  await assert.rejects(control.call("POST", route), /409 .*noAddress/);
  const slashes = verifies(2, (path) => path.slice(1));
  const endpoint = await receiverOf(slashes);
  await run(endpoint);
  const { test: ofCommand } = await control.call<Kept>("GET", route);
  assert.match(ofCommand?.url ?? "", /\/merchant\/v1\.0\/transfer-rtgs\/notify\?tenant=…$/);
  assert.match(
    ofCommand?.explanation.sentence ?? "",
    /^The receiver verifies the path without the slash before it: it/,
  );
  assert.match(
    ofCommand?.explanation.translations.id ?? "",
    /^Penerima memverifikasi path tanpa garis miring di depan/,
  );
  await control.call("PUT", "partners/alpha/notification-address", { url: endpoint.url });
  await set({ notificationSigning: "symmetric" });
  const shown = await control.call<Kept>("POST", route, { serviceCode: "75" });
  assert.deepEqual(await control.call<Kept>("GET", route), shown);
  // A reply may show the token of mode 1.
  assert.deepEqual([shown.test?.httpStatus, shown.test?.reply, typeof ofCommand?.reply], [401, undefined, "string"]);
  const token = endpoint.received.find(({ headers }) => headers["authorization"])?.headers["authorization"]?.slice(7);
  for (const secret of ["s3cret", clientSecret, token ?? assert.fail()])
    assert.ok(!JSON.stringify(shown).includes(secret));
  await control.call("PUT", "partners/alpha/notification-address", { url: null });
});
