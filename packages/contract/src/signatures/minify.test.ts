import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { hasOuterWhitespace, minify } from "./minify.ts";

const bytesOf = (text: string): Uint8Array => Buffer.from(text, "utf8");
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("utf8");

test("white space goes outside strings and stays inside them", () => {
  const cases: readonly (readonly [string, string])[] = [
    ['{ "a" : 1 }', '{"a":1}'],
    ['\r\n\t{"a b":" c\\" d "}\n', '{"a b":" c\\" d "}'],
    ['{"a":"\\\\" , "b":[ 1.0 , "\\u0020 " ]}', '{"a":"\\\\","b":[1.0,"\\u0020 "]}'],
    ['{"a":"café ✓"}  ', '{"a":"café ✓"}'],
    ["   ", ""],
    ["", ""],
  ];
  for (const [given, expected] of cases) {
    assert.equal(textOf(minify(bytesOf(given))), expected);
    assert.equal(hasOuterWhitespace(bytesOf(given)), given !== expected);
  }
});

test("bytes without white space outside strings are returned as they are", () => {
  const bytes = bytesOf('{"a":"b c"}');
  assert.equal(minify(bytes), bytes);
});

test("minifying pretty JSON gives the compact JSON", () => {
  const indent = fc.constantFrom(0, 1, 4, "\t", " \n\r");
  fc.assert(
    fc.property(fc.jsonValue(), indent, (value, space) => {
      assert.equal(textOf(minify(bytesOf(JSON.stringify(value, null, space)))), JSON.stringify(value));
    }),
  );
});

test("whatever the bytes, minifying ends, and a second time changes nothing", () => {
  const jsonLike = fc
    .array(fc.constantFrom(0x20, 0x0a, 0x22, 0x5c, 0x7b, 0x7d, 0x61, 0xc3))
    .map((bytes) => Uint8Array.from(bytes));
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array(), jsonLike), (bytes) => {
      const once = minify(bytes);
      assert.equal(minify(once), once);
      assert.equal(hasOuterWhitespace(once), false);
      assert.ok(once.length <= bytes.length);
    }),
  );
});
