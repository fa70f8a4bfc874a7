/**
 * Goal: the programs of docs/guides/receiving-notifications.md decide as our receiver does. Method: each runs where its
 * language is installed, and with RECEIVER_LANGUAGES=all a missing one fails; the document holds the very files.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { publicKey, rtgs, sign } from "../../packages/client/test/helpers/provider.ts";
import { checkSample, missingFor, samples } from "../support/receiver/samples.ts";

const root = resolve(import.meta.dirname, "../..");

const needsAll = process.env["RECEIVER_LANGUAGES"] === "all";

for (const sample of samples) {
  const missing = missingFor(sample);
  const skip = needsAll ? false : (missing ?? false);
  test(`${sample.file} decides as createReceiver: signature, time, partner, and the event's key`, {
    skip,
  }, async () => {
    assert.equal(missing, undefined);
    assert.ok((await checkSample(sample)) >= 18);
  });
}

test("curl/verify.sh says whether a signature is good", async () => {
  const directory = mkdtempSync(join(tmpdir(), "titian-verify-"));
  try {
    const keyFile = join(directory, "provider.pem");
    writeFileSync(keyFile, publicKey);
    const { path, headers, body } = sign(rtgs);
    const { "x-timestamp": timestamp = "", "x-signature": signature = "" } = headers;
    const args = [join(root, "examples/calls/curl/verify.sh"), keyFile, path, timestamp, signature];
    assert.equal(spawnSync("sh", args, { input: Buffer.from(body) }).status, 0);
    assert.equal(spawnSync("sh", args, { input: Buffer.from(`${String(body)} `) }).status, 1);
    assert.match(spawnSync("sh", args.slice(0, 1), { encoding: "utf8" }).stderr, /^Usage: .* < body\n$/);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

test("the document holds the programs as they are tested", () => {
  const document = readFileSync(join(root, "docs/guides/receiving-notifications.md"), "utf8");
  const mounted = ["node-http.ts", "express.mjs", "fastify.ts", "next-route.ts"];
  const ours = ["receiver.ts", ...mounted, "postgres-store.ts", "mode-1.ts"];
  const others = samples.map(({ file }) => `calls/${file}`).filter((file) => !file.endsWith(".mjs"));
  for (const program of [...ours.map((file) => `receivers/${file}`), ...others]) {
    const source = readFileSync(join(root, "examples", program), "utf8");
    assert.ok(document.includes(`\n${source}\`\`\``), program);
  }
});
