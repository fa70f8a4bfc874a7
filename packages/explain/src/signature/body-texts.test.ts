import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyTexts } from "./body-texts.ts";

const kinds = (body: string) => new Set<string>(bodyTexts(Buffer.from(body)).map(({ id }) => id));

test("every way to write a body of 64 KiB is tried", () => {
  const found = kinds(JSON.stringify({ b: "é/<".repeat(16_000), a: 1 }, null, 1));
  for (const id of ["writtenAnew", "escapes", "spaced", "keysSorted", "pretty", "lowerCaseBody", "latin1"]) {
    assert.ok(found.has(`bodyHash.${id}`), id);
  }
});

const nested = (depth: number, entry: string, count: number) =>
  `${"[".repeat(depth)}${Array.from({ length: count }, () => entry).join(",")}${"]".repeat(depth)}`;

for (const [name, body] of [
  ["many values", `[${"1,".repeat(30_000)}1]`],
  ["many lists", nested(1, "[[[[]]]]", 7_000)],
  ["deep indentation", nested(60, '{"a":1}', 1_400)],
  ["escapes", `{"b":"${"é".repeat(60_000)}","a":1}`],
] as const) {
  test(`at most 2 MiB are written of a body of ${name}, and its minified form in any case`, () => {
    const texts = bodyTexts(Buffer.from(body));
    assert.equal(texts[0]?.id, "bodyHash.minified");
    const characters = texts.reduce((sum, { text }) => sum + text.length, 0);
    assert.ok(characters <= 2_097_152, String(characters));
  });
}

test("a body of more values than any call has is hashed as it came, but not written anew", () => {
  assert.ok(!kinds(`[${"1,".repeat(3_000)}1]`).has("bodyHash.writtenAnew"));
  assert.ok(kinds(`[${"1,".repeat(2_900)}1]`).has("bodyHash.writtenAnew"));
});
