/**
 * What a field can hold. A field type carries its JSON schema (checked by the compiled fast path, shown in OpenAPI)
 * and, for texts, the rule that reads one: the schema accepts a subset of what the rule accepts, unchanged.
 */
import type { TSchema } from "typebox";
import type { Fields, ValuesOf } from "./field.ts";

/** An amount as it travels: decimal text and ISO 4217 code. */
export interface Money {
  readonly value: string;
  readonly currency: string;
}

/**
 * How the documents describe a type where its schema, which the checker compiles, says less: what a request may hold,
 * and what an answer may.
 */
export interface Documented {
  readonly request?: Readonly<Record<string, unknown>>;
  readonly response?: Readonly<Record<string, unknown>>;
}

export interface TextType<T extends string = string> {
  readonly kind: "text";
  /** Longest text in Unicode code points. */
  readonly max: number;
  readonly schema: TSchema;
  /** The text as we hand it on, or undefined when it is not of this type. Never called with a blank text. */
  readonly read: (text: string) => T | undefined;
  readonly documented?: Documented;
}

export interface MoneyType {
  readonly kind: "money";
  readonly schema: TSchema;
}

export interface AnyType {
  readonly kind: "any";
  readonly schema: TSchema;
  /** Members of ours, where an answer holds an object with them. */
  readonly members?: Fields;
}

export interface ListType<Entry extends Fields = Fields> {
  readonly kind: "list";
  readonly entry: Entry;
  readonly min: number;
  readonly max: number;
  readonly schema: TSchema;
}

export type FieldType = TextType | MoneyType | AnyType | ListType;

/** The TypeScript type of the values of a field type. */
export type TypeOf<T extends FieldType> =
  T extends TextType<infer Text>
    ? Text
    : T extends MoneyType
      ? Money
      : T extends ListType<infer Entry>
        ? readonly ValuesOf<Entry>[]
        : unknown;
