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

export interface Walk {
  /** A response may hold `""` in a mandatory text (36 on a bulk has no one beneficiary, spec D13). */
  readonly allowsEmptyMandatory: boolean;
  /** The field that the row's `findMissing` names, whatever its own presence. */
  readonly missed?: string | undefined;
  faults: number;
  missing?: string;
  malformed?: string;
}

/** The position of a value. The path is put together only for the first fault: a bulk holds 10,000 entries. */
interface Place {
  /** Empty, or the path of the entry and a dot. */
  readonly prefix: string;
  readonly name: string;
}

function noteMissing(walk: Walk, place: Place, member = ""): undefined {
  walk.faults += 1;
  walk.missing ??= place.prefix + place.name + member;
  return undefined;
}

function noteMalformed(walk: Walk, place: Place, member = ""): undefined {
  walk.faults += 1;
  walk.malformed ??= place.prefix + place.name + member;
  return undefined;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Reads every field of a table into a new object; faulty and absent ones are left out. */
export function readFields(
  walk: Walk,
  fields: Fields,
  source: Record<string, unknown>,
  prefix = "",
): Record<string, unknown> {
  const read: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    const place = { prefix, name };
    const isMissed = prefix === "" && name === walk.missed;
    const value = isMissed ? noteMissing(walk, place) : readField(walk, field, source[name], place);
    if (value !== undefined) read[name] = value;
  }
  return read;
}

/** The value of one field as it is passed on; undefined when it is absent or faulty (then noted in the walk). */
function readField(walk: Walk, field: Field, value: unknown, place: Place): unknown {
  const isMandatory = field.presence === "mandatory";
  const type = field.type;
  if (value === undefined) return isMandatory ? noteMissing(walk, place) : undefined;
  if (type.kind === "money") return readMoney(walk, value, isMandatory, place);
  if (value === null) return isMandatory ? noteMissing(walk, place) : undefined;
  switch (type.kind) {
    case "text":
      return readText(walk, type, value, isMandatory, place);
    case "list":
      return readList(walk, type, value, place);
    case "any":
      return value;
    default: {
      const never: never = type;
      return never;
    }
  }
}

function readText(walk: Walk, type: TextType, value: unknown, isMandatory: boolean, place: Place): unknown {
  if (typeof value !== "string") return noteMalformed(walk, place);
  if (isBlank(value) || type.isAbsent?.(value) === true) {
    if (!isMandatory) return undefined;
    return walk.allowsEmptyMandatory ? "" : noteMissing(walk, place);
  }
  return type.read(value) ?? noteMalformed(walk, place);
}

function readMoney(walk: Walk, money: unknown, isMandatory: boolean, place: Place): unknown {
  if (!isObject(money)) return noteMalformed(walk, place);
  const before = walk.faults;
  const { value, currency } = money;
  if (value === undefined && isMandatory) noteMissing(walk, place, ".value");
  else if (typeof value !== "string" || MoneyValue.read(value) === undefined) noteMalformed(walk, place, ".value");
  if (isBlank(currency)) noteMissing(walk, place, ".currency");
  else if (typeof currency !== "string" || Currency.read(currency) === undefined) {
    noteMalformed(walk, place, ".currency");
  }
  return walk.faults === before ? { value, currency } : undefined;
}

/** Entries beyond the list's maximum are not read: the list is malformed whatever they hold. */
function readList(walk: Walk, type: ListType, value: unknown, place: Place): unknown {
  if (!Array.isArray(value)) return noteMalformed(walk, place);
  const before = walk.faults;
  if (value.length < type.min || value.length > type.max) noteMalformed(walk, place);
  const entries: unknown[] = [];
  for (const [index, entry] of value.slice(0, type.max).entries()) {
    if (isObject(entry)) entries.push(readFields(walk, type.entry, entry, `${place.prefix}${place.name}[${index}].`));
    else noteMalformed(walk, place, `[${index}]`);
  }
  return walk.faults === before ? entries : undefined;
}
