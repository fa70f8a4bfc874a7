import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import { createSecretFinder, hideSecrets } from "./known-secrets.ts";

const secret = 'sk5f/0c+1d"2e3b4a596877';
/** A thousand partners' secrets that begin alike: the last is found as the first is. */
const known = Array.from({ length: 1_000 }, (_, at) => ({
  value: `test-secret-${at}-of-a-partner`,
  partnerId: `P${at}`,
}));
const finder = createSecretFinder([
  ...known,
  { value: secret, partnerId: "alpha" },
  { value: "short", partnerId: "beta" },
]);
const hide = (text: string) => hideSecrets(text, finder);
const base64 = (text: string) => Buffer.from(text).toString("base64");

test("a known secret is hidden in every spelling, wherever it stands", () => {
  const inJson = JSON.stringify(secret).slice(1, -1);
  const everyEscape = Array.from(secret, (one) => `%${one.charCodeAt(0).toString(16)}`).join("");
  const unicode = Array.from(secret, (one) => `\\u00${one.charCodeAt(0).toString(16)}`).join("");
  const forms = [
    secret,
    encodeURIComponent(secret),
    everyEscape,
    encodeURIComponent(encodeURIComponent(secret)),
    inJson,
  ];
  const inLines = base64(secret).replaceAll("=", "").replaceAll(/.{10}/g, "$&\r\n");
  forms.push(
    inLines,
    JSON.stringify(inLines).slice(1, -1),
    unicode,
    JSON.stringify(inJson).slice(1, -1),
    encodeURIComponent(inJson),
    base64(secret).replaceAll("=", ""),
  );
  for (const form of forms) {
    for (const [before, behind] of [
      ["", ""],
      ["Bearer", ""],
      ["1", ":"],
      ["a=", "&b"],
      ["/v1.0/", "/x"],
    ] as const) {
      assert.equal(hide(`${before}${form}${behind}`), `${before}•••${behind}`, form);
    }
  }
  assert.equal(hide("a test-secret-999-of-a-partner, test-secret-1000-of"), "a •••, test-secret-1000-of");
  assert.deepEqual(
    finder.find("xtest-secret-7-of-a-partner").map(({ partnerId }) => partnerId),
    ["P7"],
  );
});

test("Base64 of a text that holds a secret: what stands for the secret is hidden, at each of three places", () => {
  for (const before of ["", "a", "ab", "alpha:"]) {
    const text = base64(`${before}${secret}, and more`);
    assert.match(hide(`Basic ${text}`), /^Basic [\w+/]*•••[\w+/=]*$/, before);
    assert.ok(!Buffer.from(hide(text).replaceAll("•", "A"), "base64").toString().includes("0c+1d"));
  }
});

test("a short secret is hidden where it stands by itself", () => {
  assert.equal(hide("id=short&a=shorter short:x"), "id=•••&a=shorter •••:x");
});

test("private keys, tokens and codes are found by their form; public keys and numbers are not", () => {
  const pairs = [
    generateKeyPairSync("rsa", { modulusLength: 2_048 }),
    generateKeyPairSync("ec", { namedCurve: "P-256" }),
    generateKeyPairSync("ed25519"),
  ];
  for (const { privateKey, publicKey } of pairs) {
    const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    const der = pem.replaceAll(/-----.*-----|\s/g, "");
    assert.equal(hide(`a ${pem.trim()}`), "a •••");
    assert.equal(hide(JSON.stringify({ a: pem.trim() })), '{"a":"•••"}');
    assert.equal(hide(`"${der}"`), '"•••"');
    assert.equal(hide(pem.slice(0, -40)), "•••");
    const open = publicKey.export({ type: "spki", format: "pem" }).toString();
    assert.equal(hide(open), open);
  }
  const token = `${base64('{"alg":"HS256"}').replaceAll("=", "")}.${base64('{"sub":"0123456789"}').replaceAll("=", "")}.${"a-_Z".repeat(10)}`;
  assert.equal(hide(`Bearer${token}"`), `Bearer${token.slice(0, 6)}••• (${token.length} characters)"`);
  const code = `${"0".repeat(26)}.0.${"x".repeat(43)}`;
  assert.equal(hide(code), `000000••• (${code.length} characters)`);
  for (const text of ["41807553358950093184162180797838", "01JD7K3M9QZ8V2X4B6N8P0R2T4", "a".repeat(10_000)]) {
    assert.equal(hide(text), text);
  }
});

test("long texts of nothing but starts of secrets take linear time", () => {
  for (const part of [
    "eyJ",
    "eyJ.",
    "-----BEGIN PRIVATE KEY-----",
    "MIIEvQIBADA",
    "test-secret-",
    "%25",
    "\\u005c",
    "0".repeat(26),
    "MII",
  ]) {
    const cpuOf = (length: number) => {
      const text = part.repeat(Math.ceil(length / part.length));
      const runs = [1, 2, 3].map(() => {
        const before = process.cpuUsage();
        hide(text);
        const { user, system } = process.cpuUsage(before);
        return user + system;
      });
      return Math.min(...runs);
    };
    // 32 times the text takes 1,024 times as long where it is quadratic.
    assert.ok(cpuOf(524_288) < 200 * Math.max(cpuOf(16_384), 1_000), part);
  }
});
