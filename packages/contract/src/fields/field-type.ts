/** Fields and their types. The type of a text carries the rule that reads one, and the JSON schema that OpenAPI shows. */
import type { FieldDocs } from "./field-docs.ts";
import type { Schema } from "./schema.ts";

/**
 * `conditional`: required under a condition outside the shape (an operation decides it).
 * `onSuccess`: absent from every failed response (spec D8).
 */
export type Presence = "mandatory" | "optional" | "conditional" | "onSuccess";

export interface Field<P extends Presence = Presence, T extends FieldType | Schema = FieldType> {
  readonly presence: P;
  readonly type: T;
  /** Replaces the description that `fieldDescriptions` has for the name. */
  readonly description?: string;
}

/** Fields by name, in the order in which the specification lists them and faults are looked for (spec D2). */
export type Fields = Readonly<Record<string, Field>>;

type MandatoryNames<F extends Fields> = {
  [Name in keyof F]: F[Name]["presence"] extends "mandatory" ? Name : never;
}[keyof F];

type Documentation = FieldDocs & Readonly<Record<string, unknown>>;

/** Over names of `keyof Docs`: that is how TypeScript finds what an editor shows of a member. */
type MandatoryValues<F extends Fields, Names extends keyof Docs, Docs = Documentation> = {
  readonly [Name in Names]: TypeOf<F[Name & keyof F]["type"]>;
};
type OptionalValues<F extends Fields, Names extends keyof Docs, Docs = Documentation> = {
  readonly [Name in Names]?: TypeOf<F[Name & keyof F]["type"]>;
};

/** The object type a set of fields describes: mandatory ones present, all others optional. */
export type ValuesOf<F extends Fields> = MandatoryValues<F, Extract<MandatoryNames<F>, string>> &
  OptionalValues<F, Exclude<Extract<keyof F, string>, MandatoryNames<F>>>;

/** An amount on the wire. */
export interface Money {
  /** Decimal text: up to 16 digits and 2 decimals, such as "10000.00". Never a number. */
  readonly value: string;
  /** ISO 4217 code. */
  readonly currency: string;
}

/** The JSON schemas that OpenAPI shows for a request and for a response, where `schema` is less exact. */
export interface Documented {
  readonly request?: Readonly<Record<string, unknown>>;
  readonly response?: Readonly<Record<string, unknown>>;
}

export interface TextType<T extends string = string> {
  readonly kind: "text";
  /** Longest text in Unicode code points. */
  readonly max: number;
  readonly schema: Schema<string>;
  /** The text as it is passed on, or undefined when it is not of this type; a blank or absent one is of none. */
  readonly read: (text: string) => T | undefined;
  /** Test for texts that are not blank and count as absent too. */
  readonly isAbsent?: (text: string) => boolean;
  readonly documented?: Documented;
  /** The texts, where there is a list of them. */
  readonly values?: readonly T[];
  /** The format or the meaning of the values, in sentences. */
  readonly format?: string;
}

export interface MoneyType {
  readonly kind: "money";
}

export interface AnyType {
  readonly kind: "any";
  /** Members that the provider adds to the object of a response. */
  readonly members?: Fields;
}

/** A free-form object whose members are known, beside any others. */
export interface MembersType<Members extends Fields = Fields> extends AnyType {
  readonly members: Members;
}

export interface ListType<Entry extends Fields = Fields> {
  readonly kind: "list";
  readonly entry: Entry;
  readonly min: number;
  readonly max: number;
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
        : T extends MembersType<infer Members>
          ? ValuesOf<Members> & { readonly [name: string]: unknown }
          : unknown;
