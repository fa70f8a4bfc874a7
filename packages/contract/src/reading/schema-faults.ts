/** The reader of plain JSON schemas: what of a value does not fit, each fault with its place. */
import type { Schema } from "../fields/schema.ts";
import { isObject } from "./walk.ts";

/** `unfit`: there, and not as its schema says. `unknown`: a member that its object may not have. */
export interface SchemaFault {
  readonly kind: "missing" | "unknown" | "unfit";
  /** Names of members and positions in lists, from the whole to the place of the fault. */
  readonly path: readonly (string | number)[];
  /** Schema that the place should have; for an unknown member, the schema of its object. */
  readonly schema: Schema;
  /** Value found there. */
  readonly value: unknown;
}

/** True when the value is as the schema says. */
export function fits<Value>(schema: Schema<Value>, value: unknown): value is Value {
  return schemaFaults(schema, value).length === 0;
}

/**
 * Every fault, in the order of the schema: of an object the missing members, then the unknown ones, then those inside its
 * members. What is of another type or out of its bounds is one fault, whatever it holds.
 */
export function schemaFaults(schema: Schema, value: unknown, path: SchemaFault["path"] = []): readonly SchemaFault[] {
  if (!isRight(schema, value)) return [{ kind: "unfit", path, schema, value }];
  if (isObject(value)) return memberFaults(schema, value, path);
  const { items } = schema;
  if (items === undefined || !Array.isArray(value)) return [];
  return value.flatMap((entry, index) => schemaFaults(items, entry, [...path, index]));
}

function memberFaults(
  schema: Schema,
  value: Readonly<Record<string, unknown>>,
  path: SchemaFault["path"],
): readonly SchemaFault[] {
  const { properties = {}, required = [], additionalProperties = true } = schema;
  const missing = required
    .filter((name) => value[name] === undefined)
    .map(
      (name) => ({ kind: "missing", path: [...path, name], schema: properties[name] ?? {}, value: undefined }) as const,
    );
  const others = Object.keys(value).filter((name) => !Object.hasOwn(properties, name));
  const unknown = others.flatMap((name) => {
    const place = [...path, name];
    if (typeof additionalProperties === "object") return schemaFaults(additionalProperties, value[name], place);
    return additionalProperties ? [] : [{ kind: "unknown", path: place, schema, value: value[name] } as const];
  });
  const inside = Object.entries(properties).flatMap(([name, member]) =>
    value[name] === undefined ? [] : schemaFaults(member, value[name], [...path, name]),
  );
  return [...missing, ...unknown, ...inside];
}

/** True when the value itself is right, no matter what is inside it. */
function isRight(schema: Schema, value: unknown): boolean {
  const { type, enum: values, anyOf } = schema;
  if (type !== undefined && !isOfType[type](value)) return false;
  if (values !== undefined && !values.includes(value)) return false;
  if (anyOf !== undefined && !anyOf.some((one) => fits(one, value))) return false;
  if (typeof value === "string") return isRightText(schema, value);
  if (typeof value === "number") return isBetween(value, schema.minimum, schema.maximum);
  return !Array.isArray(value) || isBetween(value.length, schema.minItems, schema.maxItems);
}

function isRightText({ pattern, minLength, maxLength }: Schema, value: string): boolean {
  if (pattern !== undefined && !new RegExp(pattern, "u").test(value)) return false;
  return (
    (minLength === undefined && maxLength === undefined) || isBetween(Array.from(value).length, minLength, maxLength)
  );
}

const isOfType: Readonly<Record<NonNullable<Schema["type"]>, (value: unknown) => boolean>> = {
  string: (value) => typeof value === "string",
  integer: Number.isInteger,
  number: Number.isFinite,
  boolean: (value) => typeof value === "boolean",
  null: (value) => value === null,
  array: Array.isArray,
  object: isObject,
};

function isBetween(value: number, min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY): boolean {
  return value >= min && value <= max;
}
