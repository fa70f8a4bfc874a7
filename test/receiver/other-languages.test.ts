/**
 * Goal: the programs of docs/guides/receiving-notifications.md decide as our receiver does. Method: each runs where its
 * language is installed, and with RECEIVER_LANGUAGES=all a missing one fails; the document holds the very files.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
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

test("the document holds the programs as they are tested", () => {
  const document = readFileSync(join(root, "docs/guides/receiving-notifications.md"), "utf8");
  const mounted = ["node-http.ts", "express.mjs", "fastify.ts", "next-route.ts"];
  const ours = ["receiver.ts", ...mounted, "postgres-store.ts", "mode-1.ts"];
  for (const program of [...ours, ...samples.map(({ file }) => file)]) {
    const source = readFileSync(join(root, "examples/receivers", program), "utf8");
    assert.ok(document.includes(`\n${source}\`\`\``), program);
  }
});
