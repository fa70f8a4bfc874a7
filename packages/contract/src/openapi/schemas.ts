/** JSON schemas of the documentation, from the tables of fields. */
import type { Field, Fields, Presence } from "../fields/field.ts";
import type { FieldType } from "../fields/field-type.ts";
import { Money } from "../fields/types.ts";

/** A JSON value of the document. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [member: string]: Json };
export type JsonSchema = { readonly [member: string]: Json };

const notes: Readonly<Record<Presence, string | undefined>> = {
  mandatory: undefined,
  optional: undefined,
  conditional: "Conditional.",
  onSuccess: "Present only on success.",
};

/** What stands in a type's schema, without the parts that only the checker reads. */
function plain(type: FieldType): JsonSchema {
  const schema = JSON.parse(JSON.stringify(type.schema)) as JsonSchema;
  return type.kind === "text" ? { type: "string", ...schema } : schema;
}

function typeSchema(type: FieldType): JsonSchema {
  if (type.kind === "money") return { $ref: "#/components/schemas/Money" };
  if (type.kind !== "list") return plain(type);
  return { type: "array", minItems: type.min, maxItems: type.max, items: fieldsSchema(type.entry) };
}

function fieldSchema({ presence, type }: Field): JsonSchema {
  const schema = typeSchema(type);
  const texts = [notes[presence], schema.description].filter((text) => typeof text === "string");
  return texts.length === 0 ? schema : { ...schema, description: texts.join(" ") };
}

/** An object schema: every field with its length and format, the mandatory ones required. */
export function fieldsSchema(fields: Fields): JsonSchema {
  const rows = Object.entries(fields);
  const required = rows.filter(([, field]) => field.presence === "mandatory").map(([name]) => name);
  return {
    type: "object",
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(rows.map(([name, field]) => [name, fieldSchema(field)])),
  };
}

/** The schema that every Money refers to. */
export const moneySchema: JsonSchema = { ...plain(Money), description: "Decimal text and currency." };
