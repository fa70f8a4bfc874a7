import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import { clientSecret, privateKey, publicKey, symmetric } from "../test/helpers/credentials.ts";
import { allowInsecureHttp, type ClientOptions, readOptions } from "./options.ts";

const with_ = (change: Partial<ClientOptions>): ClientOptions => ({ ...symmetric, ...change });

const faults: readonly (readonly [string, Partial<ClientOptions>, RegExp])[] = [
  ["no address", { baseUrl: "bank" }, /baseUrl/],
  ["another protocol", { baseUrl: "ftp://bank.example" }, /baseUrl/],
  ["a path in the address", { baseUrl: "https://bank.example/snap" }, /pathPrefix/],
  ["a query in the address", { baseUrl: "https://bank.example/?a=b" }, /baseUrl/],
  ["a password in the address", { baseUrl: "https://me:secret@bank.example" }, /baseUrl/],
  ["plain http to another machine", { baseUrl: "http://bank.example" }, /https/],
  ["plain http to a name that only starts like ours", { baseUrl: "http://localhost.bank.example" }, /https/],
  ["a prefix without a slash", { pathPrefix: "snap" }, /pathPrefix/],
  ["a prefix with a slash at its end", { pathPrefix: "/snap/" }, /pathPrefix/],
  ["a prefix that climbs", { pathPrefix: "/snap/.." }, /pathPrefix/],
  ["an empty version", { version: "" }, /version/],
  ["a version that climbs", { version: ".." }, /version/],
  ["a partner id too long", { partnerId: "p".repeat(37) }, /partnerId/],
  ["a partner id that breaks the header", { partnerId: "a\r\nb" }, /partnerId/],
  ["a channel id too long", { channelId: "1".repeat(37) }, /channelId/],
  ["a bar in the client key", { clientKey: "a|b" }, /clientKey/],
  ["no time", { timeoutMs: 0 }, /timeoutMs/],
  ["a time that overflows the timer", { timeoutMs: 2 ** 31 }, /timeoutMs/],
  ["an empty secret", { credentials: { mode: "symmetric", clientSecret: "", privateKey } }, /clientSecret/],
  ["no key", { credentials: { mode: "asymmetric", privateKey: "nothing" } }, /privateKey/],
  ["a public key", { credentials: { mode: "asymmetric", privateKey: publicKey } }, /privateKey/],
];

for (const [name, change, message] of faults) {
  test(`rejected: ${name}`, () => {
    assert.throws(
      () => readOptions(with_(change)),
      (error) => {
        assert.ok(error instanceof TypeError);
        assert.match(error.message, message);
        assert.ok(!error.message.includes(clientSecret));
        return true;
      },
    );
  });
}

test("a key that is not RSA, or a short one, is rejected", () => {
  const elliptic = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
  const short = generateKeyPairSync("rsa", { modulusLength: 1_024 }).privateKey;
  for (const key of [elliptic, short]) {
    assert.throws(() => readOptions(with_({ credentials: { mode: "asymmetric", privateKey: key } })), /2048 bits/);
  }
});

test("a path is put together from prefix and version", () => {
  assert.equal(readOptions(symmetric).basePath, "/v1.0");
  assert.equal(readOptions(with_({ pathPrefix: "/open/snap", version: "v2.1" })).basePath, "/open/snap/v2.1");
});

test("plain http goes to this machine, and elsewhere only when that is said", () => {
  for (const host of ["127.0.0.1:8080", "localhost:8080", "[::1]:8080"]) {
    assert.equal(readOptions(with_({ baseUrl: `http://${host}` })).origin, `http://${host}`);
  }
  const options = with_({ baseUrl: "http://sandbox:8080", [allowInsecureHttp]: true });
  assert.equal(readOptions(options).origin, "http://sandbox:8080");
});
