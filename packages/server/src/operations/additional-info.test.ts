import assert from "node:assert/strict";
import { test } from "node:test";
import { operations } from "@titian/contract";
import { toJson } from "../edge/responses/json-text.ts";
import type { Reply } from "../interfaces/call.ts";
import { addToReceived, mergeIntoQuery } from "./additional-info.ts";

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

test("a query's answer has the request's members as they came, but those that are the record's", () => {
  const record = { fee: "2500.00", rejection: undefined };
  const merged = (received: string | undefined, more: Partial<Reply> = {}): string => {
    const freeForm = new Map(received === undefined ? [] : [["additionalInfo", Buffer.from(received)]]);
    const reply: Reply = { case: "success", fields: { additionalInfo: record }, ...more };
    return toJson(
      mergeIntoQuery(reply, { operation: operations.statusInquiryBank, freeForm }).fields?.["additionalInfo"],
    );
  };
  assert.equal(merged(undefined), '{"fee":"2500.00"}');
  assert.equal(merged("{}"), '{"fee":"2500.00"}');
  assert.equal(merged('{"n": 12345678901234567890 ,"fee":"0.01"}'), '{"n": 12345678901234567890,"fee":"2500.00"}');
  assert.equal(
    merged('{"a":{"fee":"}","b":[1,{}]},"fee":{"x":["]"]} , "z":"\\"}"}'),
    '{"a":{"fee":"}","b":[1,{}]},"z":"\\"}","fee":"2500.00"}',
  );
  // The record has none: the request's is no substitute.
  assert.equal(merged('{"rejection":{"responseCode":"4031814"},"itemCount":"9","k":1}'), '{"k":1,"fee":"2500.00"}');
  assert.equal(merged('{"f\\u0065e":"0.01"}'), '{"fee":"2500.00"}');
  for (const other of ["[]", '""', "0", "[ 1.0 ]"]) assert.equal(merged(other), '{"fee":"2500.00"}');
  assert.equal(merged('{"rejection":1,"k":1}', { fields: {} }), '{"k":1}');
  const notFound: Partial<Reply> = { case: "transactionNotFound", fields: {} };
  assert.equal(merged('{"rejection":1}', notFound), "null");
});
