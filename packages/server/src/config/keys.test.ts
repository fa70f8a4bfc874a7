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
