/** Makers of fields: a presence (the specification's word), a type, and a description where the name's own is not exact. */
import type { Field, FieldType, Presence } from "./field-type.ts";
import type { Schema } from "./schema.ts";

/** True for a text that counts as absent: null, or white space alone (spec D5). */
export const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === "string" && /^\s*$/.test(value));

const fieldOf =
  <P extends Presence>(presence: P) =>
  <T extends FieldType | Schema>(type: T, description?: string): Field<P, T> => ({
    presence,
    type,
    ...(description !== undefined && { description }),
  });

export const mandatory = fieldOf("mandatory");
/** Optional form of a field, or of a member of `object`, whose schema has its own description. */
export const optional: {
  <T extends FieldType>(type: T, description?: string): Field<"optional", T>;
  <T extends Schema>(schema: T): Field<"optional", T>;
} = fieldOf("optional");
export const conditional = fieldOf("conditional");
export const onSuccess = fieldOf("onSuccess");
