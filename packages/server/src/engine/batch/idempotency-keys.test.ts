import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  requestFingerprint,
  externalIdKey,
  idOfCopies,
  partnerReferenceKey,
  shortBodyHash,
  signatureKey,
} from "./idempotency-keys.ts";

const [p1, p2] = ["0190aaaa-0000-7000-8000-000000000001", "0190aaaa-0000-7000-8000-000000000002"];
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

test("a key is the same whenever and wherever it is made", () => {
  // Stored for ever: a change of these values would let every past call run again. Made by sha256sum.
  assert.equal(externalIdKey(p1, "41807553358950093184162180797837"), "4852ecd7-bd8b-c09f-8864-136bd1ffb233");
  assert.equal(partnerReferenceKey(p1, "17", "2020102900000000000001"), "a9f5f2f3-472e-0c59-194f-4eeea5151d2e");
  assert.equal(partnerReferenceKey(p1, "17", "é😀éa"), "db0b556f-dd37-07b4-4644-3d57529738fc");
  assert.equal(signatureKey(p1, "sig=="), "36fa0c9e-2cc2-aba3-a90a-ce8dd318e34b");
  assert.equal(requestFingerprint(["100", "IDR", undefined]), "a0aab78c-7f24-8814-92cb-baa85254ba78");
});

test("keys of one value differ by partner, by kind and by service", () => {
  const keys = [
    externalIdKey(p1, "x"),
    externalIdKey(p2, "x"),
    partnerReferenceKey(p1, "17", "x"),
    partnerReferenceKey(p1, "18", "x"),
    partnerReferenceKey(p2, "17", "x"),
    partnerReferenceKey(p1, "65", "hold", "x"),
    partnerReferenceKey(p1, "65", "another hold", "x"),
    partnerReferenceKey(p1, "65", "x"),
    signatureKey(p1, "x"),
    signatureKey(p2, "x"),
    // Parts do not run into one another.
    partnerReferenceKey(p1, "1", "7x"),
    externalIdKey(p1, ""),
  ];
  assert.equal(new Set(keys).size, keys.length);
  for (const key of keys) assert.match(key, uuid);
});

const anyNumber = fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 });
const anyEnd = fc.string({ unit: fc.constantFrom("0", "1", "9", "a", "é", "😀"), minLength: 3, maxLength: 3 });

test("distinct values have distinct keys, and neighbours the first four bytes, of which the first bit says the kind", () => {
  fc.assert(
    fc.property(anyNumber, fc.uniqueArray(anyEnd, { minLength: 2, maxLength: 9 }), (begin, ends) => {
      const numbers = [begin, ...ends.map((end) => begin + end)];
      const all = [
        numbers.map((number) => externalIdKey(p1, number)),
        numbers.map((number) => partnerReferenceKey(p1, "17", number)),
        numbers.map((number) => partnerReferenceKey(p1, "65", "hold", number)),
      ];
      assert.equal(new Set(all.flat()).size, 3 * numbers.length);
      for (const [kind, keys] of all.entries()) {
        assert.equal(new Set(keys.slice(1).map((key) => key.slice(0, 8))).size, 1);
        for (const key of keys) assert.match(key, kind === 0 ? /^[0-7]/ : /^[89a-f]/);
      }
    }),
  );
});

test("copies share a UUIDv7 of their time and signature", () => {
  const sentAt = Date.UTC(2026, 10, 22);
  const idOf = (signature: string, at = sentAt) => idOfCopies(signatureKey(p1, signature), at);
  assert.equal(idOf("x"), idOf("x"));
  assert.equal(new Set([idOf("x"), idOf("y"), idOf("x", sentAt + 1)]).size, 3);
  assert.match(idOf("x"), /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(Number.parseInt(idOf("x").replace("-", "").slice(0, 12), 16), sentAt);
});

test("content tells absent from empty, and one part from two", () => {
  const contents = [[], [undefined], [""], ["", ""], ["a", "b"], ["ab"], ["a", undefined, "b"], ['a","b']];
  assert.equal(new Set(contents.map(requestFingerprint)).size, contents.length);
});

test("a body's hash is the first half of its SHA-256", () => {
  assert.equal(
    shortBodyHash("00112233445566778899aabbccddeeff".padEnd(64, "f")),
    "00112233-4455-6677-8899-aabbccddeeff",
  );
});
