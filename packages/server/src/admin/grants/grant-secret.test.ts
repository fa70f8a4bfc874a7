import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { test } from "node:test";
import { newId } from "../../basics/ids.ts";
import { type GrantSecret, makeAuthCode, makeNextSecret, readGrantSecret } from "./grant-secret.ts";

const key = randomBytes(32);

/** The secret that follows a code of the given generation. */
function after(generation: number): GrantSecret {
  const { text } = makeAuthCode(newId());
  const read = readGrantSecret(text);
  assert.ok(read);
  return makeNextSecret(text, { ...read, generation }, key);
}

test("a secret names its grant and generation, and is kept as its hash", () => {
  const id = newId();
  const { text, hash } = makeAuthCode(id);
  assert.deepEqual(readGrantSecret(text), { id, generation: 0, hash });
  assert.deepEqual(hash, createHash("sha256").update(text).digest());
  assert.notEqual(makeAuthCode(id).text, text);
});

test("the next secret is the same for one text and key, and another for any other", () => {
  const [one, other] = [makeAuthCode(newId()).text, makeAuthCode(newId()).text];
  const read = readGrantSecret(one);
  assert.ok(read);
  const next = makeNextSecret(one, read, key);
  assert.deepEqual(makeNextSecret(one, read, key), next);
  assert.deepEqual(readGrantSecret(next.text), { id: read.id, generation: 1, hash: next.hash });
  assert.notEqual(makeNextSecret(other, read, key).text, next.text);
  assert.notEqual(makeNextSecret(one, read, randomBytes(32)).text, next.text);
});

test("a secret of the last generation still fits the field of a code", () => {
  assert.equal(after(999_999_998).text.length, 80);
});

test("a text that is no secret of ours reads as none", () => {
  const { text } = after(0);
  const [no = "", , random = ""] = text.split(".");
  const others = ["", "x", no, `${no}..${random}`, `${no}.01.${random}`, `${no}.-1.${random}`, `${no}.1e3.${random}`];
  others.push(`${no}.1234567890.${random}`, `${text}x`, ` ${text}`, `Z${text.slice(1)}`, text.slice(0, -1));
  for (const other of others) assert.equal(readGrantSecret(other), undefined, other);
});
