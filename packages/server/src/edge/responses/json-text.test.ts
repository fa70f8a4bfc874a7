import assert from "node:assert/strict";
import { test } from "node:test";
import { toJson } from "./json-text.ts";

test("plain values are written as JSON.stringify does", () => {
  const value = { a: 'quote " \\ \n ✓', b: [1, true, null, "x"], c: { d: undefined, e: "" }, f: [] };
  assert.equal(toJson(value), JSON.stringify(value));
});

test("bytes are written as they were received, wherever they stand", () => {
  const received = Buffer.from('{ "n": 1.0, "note": "caf\\u00e9" }');
  assert.equal(
    toJson({ additionalInfo: { given: received }, list: [received] }),
    `{"additionalInfo":{"given":${received}},"list":[${received}]}`,
  );
});

test("a value that JSON has no text for becomes null in a list", () => {
  assert.equal(toJson([undefined, Number.NaN]), "[null,null]");
});
