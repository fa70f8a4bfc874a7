import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import { inspect } from "node:util";
import { createReceiver, createTokenEndpoint, type NotificationStore } from "../../src/index.ts";
import { clientKey, clientSecret, publicKey, testReceiver, tokenSecret } from "../helpers/provider.ts";

const short = generateKeyPairSync("rsa", { modulusLength: 1_024 }).publicKey;
const elliptic = generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey;
const asymmetric = (...providerPublicKeys: Parameters<typeof createTokenEndpoint>[0]["providerPublicKeys"]) => ({
  keys: { mode: "asymmetric", providerPublicKeys } as const,
});
const symmetric = (clientSecrets: readonly string[], tokenSecrets: readonly string[]) => ({
  keys: { mode: "symmetric", clientSecrets, tokenSecrets } as const,
});

const earlierStore = { begin: async () => "new", done: async () => undefined, failed: async () => undefined };

test("invalid options of a receiver are found when it is created", () => {
  for (const [options, name] of [
    [asymmetric(), /providerPublicKeys/],
    [asymmetric("no key"), /PEM/],
    [asymmetric(short), /2048/],
    [asymmetric(elliptic), /RSA/],
    [symmetric([], [tokenSecret]), /clientSecrets/],
    [symmetric([""], [tokenSecret]), /clientSecrets/],
    [symmetric([clientSecret], ["short"]), /tokenSecrets/],
    [{ partnerId: "" }, /partnerId/],
    [{ partnerIdInBody: "no" as "optional" }, /partnerIdInBody/],
    [{ isOurs: true as unknown as () => boolean }, /isOurs/],
    [{ store: earlierStore as unknown as NotificationStore }, /withEarlierKeys/],
    [{ on: {} }, /on must/],
    [{ handlerTimeoutMs: 0 }, /handlerTimeoutMs/],
    [{ timestampWindowMs: -1 }, /timestampWindowMs/],
  ] as const) {
    assert.throws(() => testReceiver(options), { name: "TypeError", message: name });
  }
  // @ts-expect-error -- A store has no default: it would forget.
  assert.throws(() => createReceiver({ partnerId: "P", on: { rtgs() {} }, ...asymmetric(publicKey) }), /store/);
});

test("a private key given as the provider's is rejected, and said to be leaked", () => {
  const { privateKey: key } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const says = /^providerPublicKeys hold a private key, which never leaves its owner: .* as leaked/;
  const pem = (type: "pkcs1" | "pkcs8") => key.export({ type, format: "pem" }).toString();
  const encrypted = key.export({ type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "p" }).toString();
  for (const given of [key, pem("pkcs1"), pem("pkcs8"), encrypted, `${publicKey}${pem("pkcs8")}`]) {
    const options = { clientKey, providerPublicKeys: [publicKey, given], tokenSecrets: [tokenSecret] };
    for (const create of [() => testReceiver(asymmetric(publicKey, given)), () => createTokenEndpoint(options)]) {
      assert.throws(create, (error) => {
        assert.ok(error instanceof TypeError && says.test(error.message), String(error));
        return !/BEGIN|MII/.test(inspect(error));
      });
    }
  }
});

test("invalid options of a token endpoint are found when it is created", () => {
  const options = { clientKey, providerPublicKeys: [publicKey], tokenSecrets: [tokenSecret] };
  for (const [change, name] of [
    [{ clientKey: "a|b" }, /clientKey/],
    [{ tokenSecrets: [] }, /tokenSecrets/],
    [{ lifetimeSeconds: 0.5 }, /lifetimeSeconds/],
  ] as const) {
    assert.throws(() => createTokenEndpoint({ ...options, ...change }), { name: "TypeError", message: name });
  }
});

test("a receiver shows no secret", () => {
  const { receiver } = testReceiver(symmetric([clientSecret], [tokenSecret]));
  const shown = inspect(receiver, { depth: 20, showHidden: true });
  for (const secret of [clientSecret, tokenSecret]) assert.ok(!shown.includes(secret));
});
