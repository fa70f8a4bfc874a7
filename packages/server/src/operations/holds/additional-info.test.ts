import assert from "node:assert/strict";
import { test } from "node:test";
import { toJson } from "../../edge/json-text.ts";
import { addToReceived } from "./additional-info.ts";

const ours = { validUpTo: "T" };
const answered = (received: string | undefined): string =>
  toJson(addToReceived(received === undefined ? undefined : Buffer.from(received), ours));

test("what we add stands behind the request's own members, whose bytes stay", () => {
  assert.equal(answered(undefined), '{"validUpTo":"T"}');
  assert.equal(answered("{ }"), '{ "validUpTo":"T"}');
  assert.equal(answered('{"a":{"b}": 1.0} ,"c":"}" }'), '{"a":{"b}": 1.0} ,"c":"}" ,"validUpTo":"T"}');
});

test("what the request said of it stays, blank gives way, and JSON that is no object stays as it is", () => {
  assert.equal(answered('{"validUpTo":"mine", "n":1.0}'), '{"validUpTo":"mine", "n":1.0}');
  for (const blank of ["null", '""', '" "']) assert.equal(answered(`{"validUpTo":${blank}}`), '{"validUpTo":"T"}');
  for (const other of ["[]", '""', "0", "[ 1.0 ]"]) assert.equal(answered(other), other);
  const received = Buffer.from("{ }");
  assert.equal(addToReceived(received, undefined), received);
  assert.equal(addToReceived(undefined, undefined), undefined);
});
