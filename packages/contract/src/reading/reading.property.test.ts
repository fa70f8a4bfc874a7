// Goal: no JSON makes a reader throw, and what was read is read again as it is.
// Method: requests whose fields are valid, absent, blank or spoiled at random.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { sampleOf } from "../../test/samples.ts";
import type { Fields, FieldType } from "../fields/field-type.ts";
import { operationRows } from "../operations.ts";
import { readRequest } from "./read-request.ts";
import { readResponse } from "./read-response.ts";

const spoiled = fc.oneof(
  fc.constantFrom<unknown>(
    undefined,
    null,
    "",
    0,
    true,
    {},
    [],
    [{}],
    "x".repeat(300),
    "a\u0000",
    "\ud800",
    "TRUE",
    " \t",
  ),
  fc.string({ unit: "binary" }),
  fc.jsonValue(),
  fc.constantFrom(
    "\u{1f600}".repeat(64),
    "2026-11-21T10:00:00",
    "2026-02-30T10:00:00Z",
    "USD",
    "a@b\u{1f600}",
    "a@b\u202e",
  ),
  fc.record({
    value: fc.constantFrom<unknown>("1", "", null, 1, "1.234"),
    currency: fc.constantFrom<unknown>("IDR", "XXX", ""),
  }),
);

function valueOf(type: FieldType): fc.Arbitrary<unknown> {
  const sample = fc.constant(sampleOf(type));
  const entries = type.kind === "list" ? fc.array(valuesOf(type.entry), { maxLength: 3 }) : sample;
  return fc.oneof(
    { weight: 12, arbitrary: sample },
    { weight: 2, arbitrary: entries },
    { weight: 1, arbitrary: spoiled },
  );
}

function valuesOf(fields: Fields): fc.Arbitrary<Record<string, unknown>> {
  const members: Record<string, fc.Arbitrary<unknown>> = { unknown: fc.jsonValue() };
  for (const [name, { type }] of Object.entries(fields)) members[name] = valueOf(type);
  return fc.record(members);
}

test("reading never throws, whatever the JSON", () => {
  const rows = fc.constantFrom(...operationRows);
  const json = rows.chain((row) => fc.tuple(fc.constant(row), fc.oneof(fc.jsonValue(), valuesOf(row.request))));
  fc.assert(
    fc.property(json, ([row, value]) => {
      const request = readRequest(row, value);
      if (!request.ok) assert.ok(request.case === "badRequest" || request.field !== undefined);
      else assert.deepEqual(readRequest(row, request.value), request);
      readResponse(row, value);
    }),
    { numRuns: 2_000 },
  );
});
