/** A field of an operation: its presence (the specification's word) and its type. */
import type { FieldType, TypeOf } from "./field-type.ts";

/**
 * `conditional`: required under a condition outside the shape (an operation decides it).
 * `onSuccess`: absent from every failed answer (decision D8).
 */
export type Presence = "mandatory" | "optional" | "conditional" | "onSuccess";

export interface Field<P extends Presence = Presence, T extends FieldType = FieldType> {
  readonly presence: P;
  readonly type: T;
}

/** Fields by name, in the order in which the specification lists them and faults are looked for (decision D2). */
export type Fields = Readonly<Record<string, Field>>;

type MandatoryNames<F extends Fields> = {
  [Name in keyof F]: F[Name]["presence"] extends "mandatory" ? Name : never;
}[keyof F];

/** The object type a set of fields describes: mandatory ones present, all others optional. */
export type ValuesOf<F extends Fields> = {
  readonly [Name in MandatoryNames<F>]: TypeOf<F[Name]["type"]>;
} & {
  readonly [Name in Exclude<keyof F, MandatoryNames<F>>]?: TypeOf<F[Name]["type"]>;
};

/** Whether a text counts as absent: null, or white space alone (decision D5). */
export const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === "string" && /^\s*$/.test(value));

export const mandatory = <T extends FieldType>(type: T): Field<"mandatory", T> => ({ presence: "mandatory", type });
export const optional = <T extends FieldType>(type: T): Field<"optional", T> => ({ presence: "optional", type });
export const conditional = <T extends FieldType>(type: T): Field<"conditional", T> => ({
  presence: "conditional",
  type,
});
export const onSuccess = <T extends FieldType>(type: T): Field<"onSuccess", T> => ({ presence: "onSuccess", type });
