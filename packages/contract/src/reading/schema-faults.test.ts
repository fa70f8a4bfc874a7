import assert from "node:assert/strict";
import { test } from "node:test";
import { optional } from "../fields/field.ts";
import {
  anyOf,
  array,
  boolean,
  choice,
  integer,
  number,
  object,
  orNull,
  record,
  type Schema,
  type Static,
  string,
} from "../fields/schema.ts";
import { fits, schemaFaults } from "./schema-faults.ts";

const Rail = object(
  {
    name: choice(["rtgs", "skn"], { description: "rtgs or skn" }),
    fee: string({ pattern: "^[0-9]+$", description: "digits" }),
    hours: optional(object({ from: string() }, { additionalProperties: false })),
    times: optional(array(string({ minLength: 2 }), { minItems: 1 })),
  },
  { additionalProperties: false },
);

const faultsOf = (schema: Schema, value: unknown) =>
  schemaFaults(schema, value).map(({ kind, path }) => `${kind} ${path.join(".")}`);

test("a schema is plain JSON Schema", () => {
  assert.deepEqual(Rail, JSON.parse(JSON.stringify(Rail)));
  assert.deepEqual(Rail, {
    type: "object",
    required: ["name", "fee"],
    properties: {
      name: { enum: ["rtgs", "skn"], description: "rtgs or skn" },
      fee: { type: "string", pattern: "^[0-9]+$", description: "digits" },
      hours: {
        type: "object",
        required: ["from"],
        properties: { from: { type: "string" } },
        additionalProperties: false,
      },
      times: { type: "array", items: { type: "string", minLength: 2 }, minItems: 1 },
    },
    additionalProperties: false,
  });
  assert.deepEqual(record(orNull(integer())), {
    type: "object",
    additionalProperties: { anyOf: [{ type: "integer" }, { type: "null" }] },
  });
});

test("what fits has the type of its schema", () => {
  const value: unknown = JSON.parse('{ "name": "skn", "fee": "1", "times": ["08", "09"] }');
  assert.ok(fits(Rail, value));
  const rail: Static<typeof Rail> = value;
  const name: "rtgs" | "skn" = rail.name;
  const times: readonly string[] | undefined = rail.times;
  // @ts-expect-error: it may be absent
  const hours: { readonly from: string } = rail.hours;
  assert.deepEqual([name, times, hours], ["skn", ["08", "09"], undefined]);
});

test("every fault has its place: missing members, then unknown ones, then those inside, in the order of the schema", () => {
  const value = { feee: "1", name: "bifast", hours: { to: "1" }, times: ["08", "9", 7] };
  assert.deepEqual(faultsOf(Rail, value), [
    "missing fee",
    "unknown feee",
    "unfit name",
    "missing hours.from",
    "unknown hours.to",
    "unfit times.1",
    "unfit times.2",
  ]);
  const [missing, unknown, unfit] = schemaFaults(Rail, value);
  assert.deepEqual([missing?.schema, missing?.value], [Rail.properties["fee"], undefined]);
  assert.deepEqual([unknown?.schema, unknown?.value], [Rail, "1"]);
  assert.deepEqual([unfit?.schema, unfit?.value], [Rail.properties["name"], "bifast"]);
});

test("a value of another type or out of bounds is one fault, whatever it holds", () => {
  for (const value of [undefined, null, [], "x", 1]) assert.deepEqual(faultsOf(Rail, value), ["unfit "]);
  assert.deepEqual(faultsOf(array(string(), { minItems: 2 }), [1]), ["unfit "]);
  assert.deepEqual(faultsOf(array(string()), {}), ["unfit "]);
});

test("a member that holds undefined is absent", () => {
  const Two = object({ a: string(), b: optional(string()) });
  assert.deepEqual(faultsOf(Two, { a: undefined, b: undefined }), ["missing a"]);
  assert.ok(fits(Two, { a: "", b: undefined, c: 1 }));
});

// schema, what fits, what does not
const rows: readonly (readonly [Schema, readonly unknown[], readonly unknown[]])[] = [
  [string(), ["", "a"], [1, null, undefined, ["a"]]],
  [string({ minLength: 1, maxLength: 2 }), ["a", "\u{1f600}\u{1f600}"], ["", "abc", "\u{1f600}aa"]],
  [string({ pattern: "^[\\p{Lu}]$" }), ["A", "É"], ["a", "AA", "A\n"]],
  [integer({ minimum: 0, maximum: 9 }), [0, 9], [-1, 10, 1.5, "1", Number.NaN, null]],
  [number({ minimum: 0.5 }), [0.5, 1e300], [0.4, Number.POSITIVE_INFINITY, Number.NaN, "1"]],
  [boolean(), [true, false], [0, "true", null]],
  [choice(["D", "S"]), ["D", "S"], ["d", "", 1, null]],
  [orNull(string()), ["", null], [1, undefined, {}]],
  [anyOf([integer(), object({ each: string() })]), [1, { each: "", more: 1 }], [1.5, "1", {}, { each: 1 }]],
  [
    array(integer(), { minItems: 1, maxItems: 2 }),
    [[1], [1, 2]],
    [[], [1, 2, 3], ["1"], { 0: 1, length: 1 }, [undefined]],
  ],
  [record(integer()), [{}, { a: 1 }], [{ a: "1" }, { a: 1, "b\n": "1" }, [], null]],
  [record({}), [{ a: {} }], [[], "x"]],
  [object({}), [{}, { a: 1 }], [[], null, "x"]],
  [{}, [undefined, null, [], "x"], []],
];

for (const [schema, fitting, others] of rows) {
  test(`read as JSON Schema says: ${JSON.stringify(schema)}`, () => {
    for (const value of fitting) assert.ok(fits(schema, value), JSON.stringify(value));
    for (const value of others) assert.ok(!fits(schema, value), JSON.stringify(value));
  });
}
