/** JSON schemas of the documentation, from the tables of fields: exactly the requests that are accepted and the responses that are sent. */
import { currencyCodes } from "../currencies.ts";
import { describeField } from "../fields/descriptions.ts";
import type { Field, Fields, FieldType, Presence } from "../fields/field-type.ts";
import { MoneyValue } from "../fields/types.ts";
import { blank } from "../shapes/alternatives.ts";

/** A JSON value of the document. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [member: string]: Json };
export type JsonSchema = { readonly [member: string]: Json };

/** Side of a call that a schema describes. */
export type Part = "request" | "response";

const notes: Readonly<Record<Presence, string | undefined>> = {
  mandatory: undefined,
  optional: undefined,
  conditional: "Conditional.",
  onSuccess: "Present only on success.",
};

/** A copy as JSON. */
export const toJson = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json;

export const refTo = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

function typeSchema(type: FieldType, part: Part): JsonSchema {
  switch (type.kind) {
    case "money":
      return refTo("Money");
    case "list":
      return { type: "array", minItems: type.min, maxItems: type.max, items: fieldsSchema(type.entry, part) };
    case "any":
      return type.members === undefined ? {} : fieldsSchema(type.members, part, {});
    case "text": {
      const documented = type.documented?.[part];
      return (
        documented === undefined ? { type: "string", ...(toJson(type.schema) as JsonSchema) } : toJson(documented)
      ) as JsonSchema;
    }
  }
}

/**
 * Adds null, which counts as absent, to a field that may be left out, and to a text white space alone; never to Money.
 */
function orAbsent(schema: JsonSchema, { kind }: FieldType): JsonSchema {
  if (kind === "text") return { anyOf: [schema, refTo("Blank")] };
  return kind === "list" ? { anyOf: [schema, { type: "null" }] } : schema;
}

function fieldSchema(name: string, field: Field, part: Part): JsonSchema {
  const { presence, type } = field;
  const schema = typeSchema(type, part);
  const whole = part === "request" && presence !== "mandatory" ? orAbsent(schema, type) : schema;
  const note = notes[presence];
  const description = describeField(name, field);
  return { ...whole, description: note === undefined ? description : `${description} ${note}` };
}

/** An object schema: every field with its length and format, the mandatory ones required. */
export function fieldsSchema(fields: Fields, part: Part, kind: JsonSchema = { type: "object" }): JsonSchema {
  const rows = Object.entries(fields);
  const required = rows.filter(([, field]) => field.presence === "mandatory").map(([name]) => name);
  return {
    ...kind,
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(rows.map(([name, field]) => [name, fieldSchema(name, field, part)])),
  };
}

/** The schemas that others refer to. */
export const sharedSchemas: Readonly<Record<string, JsonSchema>> = {
  Money: {
    type: "object",
    required: ["value", "currency"],
    properties: {
      value: { ...typeSchema(MoneyValue, "request"), description: `Decimal text. ${MoneyValue.format ?? ""}` },
      currency: refTo("Currency"),
    },
    description: "Amount: decimal text and currency. Neither it nor a member may be null or empty.",
  },
  Currency: { type: "string", enum: [...currencyCodes], description: "ISO 4217 code." },
  Blank: {
    ...(toJson(blank) as JsonSchema),
    description: "Absent: null, or a text of white space alone.",
  },
};
