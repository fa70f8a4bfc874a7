/** Schemas of answers to operators. A view returns minor units and epoch milliseconds (`Found`), an answer has texts. */
import type { Schema } from "@titian/contract";

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

/** Values that an answer is written from; there may be more members. */
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
