import assert from "node:assert/strict";
import { createPublicKey, generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { signHmac, verifyHmac } from "./hmac.ts";
import { signRsa, signRsaAsync, verifyRsa } from "./rsa.ts";

const encoding = {
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
} as const;
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048, ...encoding });
const otherRsa = generateKeyPairSync("rsa", { modulusLength: 2048, ...encoding });
const elliptic = generateKeyPairSync("ec", { namedCurve: "P-256", ...encoding });

const text = "POST:/v1.0/transfer-intrabank:token:hash:2026-11-21T10:00:00+07:00";
const hmac = signHmac("secret", text);
const signature = signRsa(rsa.privateKey, text);

/** Other spellings of the same Base64, which a lenient decoder would take for the same bytes. */
const respellings = (base64: string): string[] => [
  base64.replace(/=+$/, ""),
  `${base64}=`,
  `${base64}\n`,
  ` ${base64}`,
  `${base64.slice(0, 20)}\n${base64.slice(20)}`,
  base64.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, ""),
  `${base64}AAAA`,
];

test("a signature verifies with its key and text only", () => {
  assert.ok(verifyHmac("secret", text, hmac));
  assert.ok(!verifyHmac("Secret", text, hmac));
  assert.ok(!verifyHmac("secret", `${text} `, hmac));
  assert.ok(verifyRsa(rsa.publicKey, text, signature));
  assert.ok(verifyRsa(createPublicKey(rsa.publicKey), text, signature));
  assert.ok(!verifyRsa(otherRsa.publicKey, text, signature));
  assert.ok(!verifyRsa(rsa.publicKey, `${text} `, signature));
});

test("another spelling of a good signature is rejected", () => {
  for (const spelling of respellings(hmac)) assert.ok(!verifyHmac("secret", text, spelling), spelling);
  for (const spelling of respellings(signature)) assert.ok(!verifyRsa(rsa.publicKey, text, spelling), spelling);
});

test("no key of another kind verifies", () => {
  assert.ok(!verifyRsa(elliptic.publicKey, text, signature));
});

test("verifying a malformed signature returns false and never throws", () => {
  const forms = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.base64String(),
    fc.string({ minLength: 300, maxLength: 4_000 }),
  );
  fc.assert(
    fc.property(forms, (form) => {
      assert.equal(verifyHmac("secret", text, form), false);
      assert.equal(verifyRsa(rsa.publicKey, text, form), false);
    }),
  );
});

test("signing in the thread pool gives the same signature", async () => {
  assert.equal(await signRsaAsync(rsa.privateKey, text), signature);
});
