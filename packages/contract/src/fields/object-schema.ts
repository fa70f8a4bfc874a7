/** The JSON schema of a set of fields. */
import Type, { type TSchema } from "typebox";
import type { Fields } from "./field-type.ts";

/** An object schema in table order; unknown members are allowed and ignored (spec D5). */
export function objectSchema(fields: Fields): TSchema {
  const properties: Record<string, TSchema> = {};
  for (const [name, field] of Object.entries(fields)) {
    properties[name] = field.presence === "mandatory" ? field.type.schema : Type.Optional(field.type.schema);
  }
  return Type.Object(properties);
}
