/** Answers by their schema: the members that it names and no others, amounts as decimal texts, times as ISO 8601. */
import { formatTimestamp, isObject, type Schema } from "@titian/contract";
import { writeAmount } from "../money-text.ts";

export function writeAnswer(schema: Schema, found: unknown, currency?: string): unknown {
  const { anyOf, items, properties, additionalProperties } = schema;
  // Type inside `orNull`.
  const value = anyOf?.find(({ type }) => type !== "null");
  if (found === undefined || found === null) return value === undefined ? found : null;
  if (value !== undefined) return writeAnswer(value, found, currency);
  if (typeof found === "bigint") return writeIn(currency, found);
  if (typeof found === "number") return schema.type === "string" ? formatTimestamp(found) : found;
  if (items !== undefined && Array.isArray(found)) return found.map((entry) => writeAnswer(items, entry, currency));
  if (!isObject(found)) return found;
  const own = typeof found["currency"] === "string" ? found["currency"] : currency;
  const members = properties ?? membersOf(found, additionalProperties);
  if (members === undefined) return found;
  const values = Object.entries(members).map(([name, member]) => [name, writeAnswer(member, found[name], own)]);
  return Object.fromEntries(values);
}

/** Schemas of a record's members: that of all members, for each that is there. */
function membersOf(found: object, schema: Schema["additionalProperties"]): Schema["properties"] {
  if (typeof schema !== "object") return undefined;
  return Object.fromEntries(Object.keys(found).map((name) => [name, schema]));
}

function writeIn(currency: string | undefined, minor: bigint): string {
  if (currency === undefined) throw new Error("An answer has an amount without a currency.");
  return writeAmount(minor, currency);
}
