import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { newId } from "../ids.ts";
import { makeGrantSecret, readGrantSecret } from "./grant-secret.ts";

test("a secret names its grant and generation, and is kept as its hash", () => {
  const id = newId();
  const { text, hash } = makeGrantSecret(id, 12);
  assert.deepEqual(readGrantSecret(text), { id, generation: 12, hash });
  assert.deepEqual(hash, createHash("sha256").update(text).digest());
  assert.notEqual(makeGrantSecret(id, 12).text, text);
});

test("a secret of the last generation still fits the field of a code", () => {
  assert.equal(makeGrantSecret(newId(), 999_999_999).text.length, 80);
});

test("what is no secret of ours reads as none", () => {
  const { text } = makeGrantSecret(newId(), 1);
  const [no = "", , random = ""] = text.split(".");
  const others = ["", "x", no, `${no}..${random}`, `${no}.01.${random}`, `${no}.-1.${random}`, `${no}.1e3.${random}`];
  others.push(`${no}.1234567890.${random}`, `${text}x`, ` ${text}`, `Z${text.slice(1)}`, text.slice(0, -1));
  for (const other of others) assert.equal(readGrantSecret(other), undefined, other);
});
