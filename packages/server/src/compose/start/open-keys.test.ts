/** The module of TITIAN_KEYS at a start: what it does wrong is said with what to do. Node and KMS: test/e2e/keys-module.test.ts. */
import assert from "node:assert/strict";
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { verifyRsa } from "@titian/contract";
import { type Keys, signBy } from "../../basics/keys.ts";
import { ConfigError, readConfig } from "../../config/config.ts";
import { openKeys } from "./open-keys.ts";

const directory = mkdtempSync(join(tmpdir(), "titian-keys-"));
after(() => rmSync(directory, { recursive: true }));
const [pair, other] = [1, 2].map(() => generateKeyPairSync("rsa", { modulusLength: 2_048 }));
const pem = (key = pair?.publicKey) => key?.export({ type: "spki", format: "pem" }).toString() ?? "";
const privatePem = pair?.privateKey.export({ type: "pkcs8", format: "pem" }).toString() ?? "";

let modules = 0;
function moduleOf(text: string): string {
  modules += 1;
  const path = join(directory, `${modules}.mjs`);
  writeFileSync(path, text);
  return path;
}

/** A master key is "sealed" as hex. */
const unseal = 'unseal: async (text) => Buffer.from(text, "hex")';
const signing = `sign: async (bytes) => (await import("node:crypto")).sign("sha256", bytes, ${JSON.stringify(privatePem)})`;
const good = moduleOf(`export default { ${signing}, ${unseal} };`);
const [current, previous] = [randomBytes(32), randomBytes(32)];
const production = {
  DATABASE_URL: "postgres://app@localhost/titian",
  TITIAN_BANK_CODE: "008",
  TITIAN_KEYS: good,
  TITIAN_MASTER_KEY: current.toString("hex"),
  TITIAN_PROVIDER_KEY: pem(),
};

test("the module unseals the master keys, and signs as the public key says", async () => {
  const config = readConfig({ ...production, TITIAN_MASTER_KEY_PREVIOUS: previous.toString("hex") });
  assert.deepEqual([config.masterKeys, config.files], [undefined, { TITIAN_KEYS: good }]);
  const { masterKeys, keys = assert.fail() } = await openKeys(config);
  assert.deepEqual(masterKeys, { current, previous });
  assert.ok(verifyRsa(pem(), "text", await signBy(keys, "text")));
});

test("a module that cannot be used stops the start", async () => {
  const cases: readonly (readonly [Readonly<Record<string, string>>, RegExp])[] = [
    [{ TITIAN_KEYS: join(directory, "none.mjs") }, /TITIAN_KEYS: .*none\.mjs does not load: .* Name an ES module/],
    [{ TITIAN_KEYS: moduleOf("export default {};") }, /TITIAN_KEYS: the default export of .* lacks sign or unseal/],
    [
      { TITIAN_KEYS: moduleOf(`export default { ${signing}, unseal() { throw new Error("HTTP 403"); } };`) },
      /TITIAN_MASTER_KEY: unseal of TITIAN_KEYS failed: HTTP 403\. Nodes start only while the KMS answers/,
    ],
    [{ TITIAN_MASTER_KEY: "00" }, /TITIAN_MASTER_KEY: .* answered 1 bytes, and a master key has 32/],
    [
      { TITIAN_KEYS: moduleOf(`export default { sign: async () => "x", ${unseal} };`) },
      /TITIAN_PROVIDER_KEY: sign of TITIAN_KEYS failed: it answered string, not a Uint8Array/,
    ],
    [
      { TITIAN_PROVIDER_KEY: pem(other?.publicKey) },
      /TITIAN_PROVIDER_KEY does not verify what sign of TITIAN_KEYS made/,
    ],
  ];
  for (const [change, message] of cases) {
    const opening = openKeys(readConfig({ ...production, ...change }));
    await assert.rejects(opening, (error) => error instanceof ConfigError && message.test(error.message));
  }
  const known = /TITIAN_PROVIDER_KEY must be, beside TITIAN_KEYS, the public key/;
  assert.throws(() => readConfig({ ...production, TITIAN_PROVIDER_KEY: privatePem }), known);
  assert.throws(() => readConfig({ ...production, TITIAN_SANDBOX: "1" }), /TITIAN_KEYS is for production/);
});

test("a module that hangs fails after 5 s, and is told to stop", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let told: AbortSignal | undefined;
  const hanging: Keys = {
    sign: (_, signal) => {
      told = signal;
      return new Promise(() => undefined);
    },
    unseal: async () => Buffer.alloc(0),
  };
  const failed = assert.rejects(signBy(hanging, "text"), { name: "KeysUnavailable", message: /within 5 s$/ });
  t.mock.timers.tick(5_000);
  await failed;
  assert.equal(told?.aborted, true);
});
