/**
 * The usual case without a walk: a compiled check of the schema, then a copy of the known fields.
 * The schemas accept only what the walk would pass on unchanged; `reading.property.test.ts` holds the two together.
 */
import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import type { Fields, FieldType } from "../fields/field-type.ts";
import { objectSchema } from "../fields/object-schema.ts";
import { isObject } from "./walk.ts";

type Check = (value: unknown) => boolean;

/** Compiled on first use: 44 tables cost some 40 ms, and a process rarely reads them all. */
const checks = new WeakMap<Fields, Check>();

function checkOf(fields: Fields): Check {
  const known = checks.get(fields);
  if (known !== undefined) return known;
  const validator = Compile<TSchema>(objectSchema(fields));
  const check = (value: unknown): boolean => validator.Check(value);
  checks.set(fields, check);
  return check;
}

/** The known fields of a value that needs no walk, or undefined when the walk must decide. */
export function readFast(fields: Fields, source: Record<string, unknown>): Record<string, unknown> | undefined {
  return checkOf(fields)(source) ? pick(fields, source) : undefined;
}

function pick(fields: Fields, source: Record<string, unknown>): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const name in fields) {
    const value = source[name];
    const field = fields[name];
    if (value !== undefined && field !== undefined) picked[name] = pickValue(field.type, value);
  }
  return picked;
}

function pickValue(type: FieldType, value: unknown): unknown {
  if (type.kind === "money" && isObject(value)) return { value: value.value, currency: value.currency };
  if (type.kind === "list" && Array.isArray(value))
    return value.map((entry: Record<string, unknown>) => pick(type.entry, entry));
  return value;
}
