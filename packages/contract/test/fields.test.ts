// Goal: each fault of each field of each request is reported exactly. Method: a request with all fields, one spoiled
// at a time; the expected case and field come from vectors/snap-fields.json, not from the table under test.
import assert from "node:assert/strict";
import { test } from "node:test";
import { operationByCode, readRequest } from "@titian/contract";
import { sampleFields } from "./samples.ts";
import { type SnapField, snapFields } from "./snap-fields.ts";

type Fault = readonly [value: unknown, expectedCase: string, expectedField: string];

const missing = "invalidMandatoryField";
const malformed = "invalidFieldFormat";
const accepted = "accepted";

/** Invalid values of a text, Money, list or object, with the expected case and field. */
function faultsOf({ name, type, spec, format }: SnapField, field: string): Fault[] {
  const whenAbsent = spec === "M" ? missing : accepted;
  const last = name.replace("[].", "");
  const always: Fault[] = [[undefined, whenAbsent, field]];
  if (type === "Money") {
    const whenWithout = spec === "M" ? missing : malformed;
    return [
      ...always,
      [null, malformed, field],
      ["", malformed, field],
      ["10000.00", malformed, field],
      [[], malformed, field],
      [{}, missing, spec === "M" ? `${field}.value` : `${field}.currency`],
      [{ currency: "IDR" }, whenWithout, `${field}.value`],
      [{ value: "", currency: "IDR" }, malformed, `${field}.value`],
      [{ value: null, currency: "IDR" }, malformed, `${field}.value`],
      [{ value: "1.00" }, missing, `${field}.currency`],
      [{ value: "1.00", currency: "" }, missing, `${field}.currency`],
      [{ value: 1, currency: "IDR" }, malformed, `${field}.value`],
      ...["-1", "+1", "1e3", "1.", ".5", "1.000", "1,00", " 1", "0x1", "12345678901234567", "１"].map(
        (value): Fault => [{ value, currency: "IDR" }, malformed, `${field}.value`],
      ),
      [{ value: "1.00", currency: "idr" }, malformed, `${field}.currency`],
      [{ value: "1.00", currency: "XXX" }, malformed, `${field}.currency`],
    ];
  }
  if (last === "items" || last === "additionalInfo") {
    return [...always, ...[null, "", " ", [], 5, false, {}].map((value): Fault => [value, accepted, field])];
  }
  if (type === "array") {
    const emptyList: Fault = [[], spec === "M" ? malformed : accepted, field];
    return [...always, emptyList, [null, whenAbsent, field], ["", malformed, field], [[5], malformed, `${field}[0]`]];
  }
  const texts: Fault[] = [
    ...always,
    [null, whenAbsent, field],
    ["", whenAbsent, field],
    [" \t\u00a0\n", whenAbsent, field],
    [5, malformed, field],
    [true, malformed, field],
    [{}, malformed, field],
    ["a\u0000b", malformed, field],
    ...["\u007f", "\u0085", "\u200f", "\u202e", "\u2069", "\ufdd0", "\uffff", "\u{1fffe}"].map(
      (character): Fault => [`1${character}`, malformed, field],
    ),
    ["\ud800", malformed, field],
    ["x".repeat(3_000), malformed, field],
  ];
  if (format !== "datetime") return texts;
  const times = ["2026-11-21", "2026-02-29T10:00:00Z", "2026-11-21T10:00Z", "2026-11-21 10:00:00Z", "20261121T100000Z"];
  return [...texts, ...times.map((time): Fault => [time, malformed, field])];
}

function check(code: string, spoil: (request: Record<string, unknown>) => void, [, expected, field]: Fault): void {
  const row = operationByCode(code);
  assert.ok(row);
  const request = sampleFields(row.request);
  spoil(request);
  const read = readRequest(row, request);
  if (expected === accepted) {
    assert.ok(read.ok, `${field}: ${JSON.stringify(read)}`);
    return;
  }
  assert.ok(!read.ok, `${field} was accepted`);
  assert.deepEqual([read.case, read.field], [expected, field]);
  const [culprit = ""] = field.split(/[.[]/, 1);
  assert.ok(!(culprit in read.valid), `${culprit} is echoed although it is faulty`);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** The second entry of the bulk, so that the index in the path is tested too. */
function secondItem(request: Record<string, unknown>): Record<string, unknown> {
  const item: unknown = Array.isArray(request.bulkObject) ? request.bulkObject[1] : undefined;
  assert.ok(isRecord(item));
  return item;
}

for (const [code, operation] of Object.entries(snapFields.operations)) {
  for (const field of operation.request.filter(({ spec }) => spec !== null)) {
    test(`${code}: faults of ${field.name} are named`, () => {
      const inItem = field.name.startsWith("[].");
      const name = field.name.replace("[].", "");
      for (const fault of faultsOf(field, inItem ? `bulkObject[1].${name}` : name)) {
        const set = (request: Record<string, unknown>): void => {
          (inItem ? secondItem(request) : request)[name] = fault[0];
        };
        check(code, set, fault);
      }
    });
  }
}

test("a text of exactly the longest length is accepted, counted in code points", () => {
  for (const [code, operation] of Object.entries(snapFields.operations)) {
    for (const { name, spec, max } of operation.request) {
      const row = operationByCode(code);
      const type = row?.request[name]?.type;
      // Formats and lists of values have tests of their own; here the plain texts.
      if (!row || spec === null || max === null || type?.kind !== "text" || type.read("\u{1f600}") === undefined)
        continue;
      const longest = "\u{1f600}".repeat(type.max);
      assert.ok(readRequest(row, { ...sampleFields(row.request), [name]: longest }).ok, `${code} ${name}`);
      const read = readRequest(row, { ...sampleFields(row.request), [name]: `${longest}x` });
      assert.ok(!read.ok && read.case === malformed && read.field === name, `${code} ${name}`);
    }
  }
});
