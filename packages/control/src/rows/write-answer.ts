/** Answers by their schema: the members that it names and no others, amounts as decimal texts, times as ISO 8601. */
import { formatTimestamp, isObject, type Schema } from "@titian/contract";
import { writeAmount } from "../money-text.ts";

declare const written: unique symbol;

/** A decimal text. */
export type AmountText = string & { readonly [written]: "amount" };
/** ISO 8601, business time. */
export type TimeText = string & { readonly [written]: "time" };

type About = Pick<Schema, "description">;

/** In an answer: minor units, in the currency of the object around it or the next one that has one. */
export const amount = (about: About = {}): Schema<AmountText> => ({
  type: "string",
  pattern: "^-?[0-9]+(\\.[0-9]+)?$",
  ...about,
});

/** In an answer: milliseconds since 1970. */
export const time = (about: About = {}): Schema<TimeText> => ({
  type: "string",
  pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\+07:00$",
  ...about,
});

/** What an answer is written from; it may have more members. */
export type Found<Value> = Value extends AmountText
  ? bigint
  : Value extends TimeText
    ? number
    : Value extends null
      ? null | undefined
      : Value extends readonly (infer Entry)[]
        ? readonly Found<Entry>[]
        : Value extends object
          ? {
              readonly [Name in keyof Value]:
                | Found<Value[Name]>
                | (object extends Pick<Value, Name> ? undefined : never);
            }
          : Value;

export function writeAnswer(schema: Schema, found: unknown, currency?: string): unknown {
  const { anyOf, items, properties, additionalProperties } = schema;
  // Of `orNull`.
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

/** Of a record: the schema of all members, for each that is there. */
function membersOf(found: object, schema: Schema["additionalProperties"]): Schema["properties"] {
  if (typeof schema !== "object") return undefined;
  return Object.fromEntries(Object.keys(found).map((name) => [name, schema]));
}

function writeIn(currency: string | undefined, minor: bigint): string {
  if (currency === undefined) throw new Error("An answer has an amount without a currency.");
  return writeAmount(minor, currency);
}
