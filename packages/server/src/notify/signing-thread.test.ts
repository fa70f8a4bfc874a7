import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import { verifyRsa } from "@titian/contract";
import { createSigningThread } from "./signing-thread.ts";

const { privateKey, publicKey } = generateKeyPairSync("rsa", {
  modulusLength: 2_048,
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
});

test("each text gets its own signature, however many ask at once; after its end the thread starts again", async () => {
  await using thread = createSigningThread(privateKey);
  for (const run of ["first", "second"]) {
    const texts = Array.from({ length: 100 }, (_, number) => `${run} ${number}`);
    const signatures = await Promise.all(texts.map((text) => thread.sign(text)));
    assert.ok(texts.every((text, index) => verifyRsa(publicKey, text, signatures[index] ?? "")));
    await thread[Symbol.asyncDispose]();
  }
});

test("a text that waits when the thread ends is not kept waiting, and neither is one without a usable key", async () => {
  await using thread = createSigningThread(privateKey);
  const waiting = thread.sign("never signed");
  const failed = assert.rejects(waiting, /thread that signs notifications ended/);
  await new Promise((resolve) => setImmediate(resolve));
  await thread[Symbol.asyncDispose]();
  await failed;
  await using unusable = createSigningThread("no key");
  await assert.rejects(unusable.sign("text"));
});
