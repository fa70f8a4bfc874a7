import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";
import { type HmacDigest, repeatedHmac } from "./repeated-hmac.ts";

const digests: readonly HmacDigest[] = ["md5", "sha1", "sha256", "sha384", "sha512"];
const keys = ["", "k", "k".repeat(64), "k".repeat(65), "k".repeat(128), "k".repeat(129), "é".repeat(90)];
const texts = [
  "",
  "POST:/v1.0",
  "é\u{1f600}".repeat(300),
  "x".repeat(1_365),
  "x".repeat(1_366),
  "x".repeat(70_000),
  "a",
];

test("HMACs of every digest, key length and text length are those of node:crypto", () => {
  for (const digest of digests) {
    for (const key of keys) {
      const hmac = repeatedHmac(digest, Buffer.from(key));
      for (const text of texts) {
        assert.equal(hmac(text), createHmac(digest, key).update(text).digest("base64"), `${digest} ${key.length}`);
      }
    }
  }
});
