/**
 * The full rules of reading fields (decisions D2, D5). One pass over the table notes the first missing mandatory
 * field and the first malformed one; missing outranks malformed whatever their order.
 *
 * - A text of white space alone or null is absent; so is a list or free-form member holding null.
 * - Money is the exception, because a caller's null must not capture everything: null, a blank text or anything but an object
 *   is malformed, and so is a null or empty `value`. In a mandatory Money `value` and `currency` are mandatory. In an
 *   optional Money that was given, `currency` is mandatory and an absent `value` is malformed.
 * - Entries of a list are read like a request of their own: an entry given must be whole.
 */
import { isBlank } from "../fields/field.ts";
import type { Field, Fields, ListType, TextType } from "../fields/field-type.ts";
import { Currency, MoneyValue } from "../fields/types.ts";

/** An entry of a list. Its path is put together only for a fault: a bulk holds 10,000 entries. */
interface Entry {
  readonly list: string;
  readonly index: number;
}

export interface Walk {
  /** A response may hold `""` in a mandatory text (36 on a bulk has no one beneficiary, spec D13). */
  readonly allowsEmptyMandatory: boolean;
  /** The field that the row's `findMissing` names, whatever its own presence. */
  readonly missed?: string | undefined;
  /** The one that is being read. */
  entry?: Entry | undefined;
  faults: number;
  missing?: string;
  malformed?: string;
}

function pathOf({ entry }: Walk, name: string): string {
  return entry === undefined ? name : `${entry.list}[${entry.index}].${name}`;
}

function noteMissing(walk: Walk, name: string, member = ""): undefined {
  walk.faults += 1;
  walk.missing ??= pathOf(walk, name) + member;
  return undefined;
}

function noteMalformed(walk: Walk, name: string, member = ""): undefined {
  walk.faults += 1;
  walk.malformed ??= pathOf(walk, name) + member;
  return undefined;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Reads every field of a table into a new object; faulty and absent ones are left out. */
export function readFields(walk: Walk, fields: Fields, source: Record<string, unknown>): Record<string, unknown> {
  const read: Record<string, unknown> = {};
  // `Object.entries` would make a list of them for each entry of a bulk.
  for (const name in fields) {
    const isMissed = walk.entry === undefined && name === walk.missed;
    const value = isMissed ? noteMissing(walk, name) : readField(walk, fields[name] as Field, source[name], name);
    if (value !== undefined) read[name] = value;
  }
  return read;
}

/** The value of one field as it is passed on; undefined when it is absent or faulty (then noted in the walk). */
function readField(walk: Walk, field: Field, value: unknown, name: string): unknown {
  const isMandatory = field.presence === "mandatory";
  const type = field.type;
  if (value === undefined) return isMandatory ? noteMissing(walk, name) : undefined;
  if (type.kind === "money") return readMoney(walk, value, isMandatory, name);
  if (value === null) return isMandatory ? noteMissing(walk, name) : undefined;
  switch (type.kind) {
    case "text":
      return readText(walk, type, value, isMandatory, name);
    case "list":
      return readList(walk, type, value, name);
    case "any":
      return value;
    default: {
      const never: never = type;
      return never;
    }
  }
}

function readText(walk: Walk, type: TextType, value: unknown, isMandatory: boolean, name: string): unknown {
  if (typeof value !== "string") return noteMalformed(walk, name);
  const read = type.read(value);
  if (read !== undefined) return read;
  if (!isBlank(value) && type.isAbsent?.(value) !== true) return noteMalformed(walk, name);
  if (!isMandatory) return undefined;
  return walk.allowsEmptyMandatory ? "" : noteMissing(walk, name);
}

function readMoney(walk: Walk, money: unknown, isMandatory: boolean, name: string): unknown {
  if (!isObject(money)) return noteMalformed(walk, name);
  const before = walk.faults;
  const { value, currency } = money;
  if (value === undefined && isMandatory) noteMissing(walk, name, ".value");
  else if (typeof value !== "string" || MoneyValue.read(value) === undefined) noteMalformed(walk, name, ".value");
  if (typeof currency !== "string" || Currency.read(currency) === undefined) {
    if (isBlank(currency)) noteMissing(walk, name, ".currency");
    else noteMalformed(walk, name, ".currency");
  }
  return walk.faults === before ? { value, currency } : undefined;
}

/** Entries beyond the list's maximum are not read: the list is malformed whatever they hold. */
function readList(walk: Walk, type: ListType, value: unknown, name: string): unknown {
  if (!Array.isArray(value)) return noteMalformed(walk, name);
  const before = walk.faults;
  if (value.length < type.min || value.length > type.max) noteMalformed(walk, name);
  const entries: unknown[] = [];
  const outer = walk.entry;
  const list = pathOf(walk, name);
  for (let index = 0; index < Math.min(value.length, type.max); index += 1) {
    const entry: unknown = value[index];
    if (!isObject(entry)) {
      noteMalformed(walk, name, `[${index}]`);
      continue;
    }
    walk.entry = { list, index };
    entries.push(readFields(walk, type.entry, entry));
    walk.entry = outer;
  }
  return walk.faults === before ? entries : undefined;
}
