import assert from "node:assert/strict";
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { test } from "node:test";
import { readConfig } from "./config.ts";

test("a master key is the key itself or the name of its file", () => {
  const [current, previous] = [randomBytes(32), randomBytes(32)];
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const TITIAN_PROVIDER_KEY = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  const rest = { DATABASE_URL: "postgres://app@localhost/titian", TITIAN_BANK_CODE: "008", TITIAN_PROVIDER_KEY };
  const production = { ...rest, TITIAN_SANDBOX: "0", TITIAN_MASTER_KEY: current.toString("base64") };
  assert.deepEqual(readConfig(production).files, {}, "a key itself is no name of a file");
  const files = { TITIAN_MASTER_KEY: "/k/new", TITIAN_MASTER_KEY_PREVIOUS: "/k/old" };
  const readText = (path: string) => `${(path === "/k/new" ? current : previous).toString("base64")}\n`;
  const read = readConfig({ ...production, ...files }, { readText });
  assert.deepEqual([read.masterKeys, read.files], [{ current, previous }, files]);
  assert.throws(() => readConfig({ ...production, ...files }, { readText: () => "short" }), /32 random bytes/);
});

test("of the next provider key the public half is kept, whichever half is given", () => {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
  const spki = publicKey.export({ type: "spki", format: "pem" }).toString();
  for (const TITIAN_PROVIDER_KEY_NEXT of [spki, privateKey.export({ type: "pkcs8", format: "pem" }).toString()])
    assert.equal(readConfig({ TITIAN_PROVIDER_KEY_NEXT }).nextProviderKey, spki);
  assert.throws(() => readConfig({ TITIAN_PROVIDER_KEY_NEXT: "/none" }), /TITIAN_PROVIDER_KEY_NEXT must be an RSA key/);
});
