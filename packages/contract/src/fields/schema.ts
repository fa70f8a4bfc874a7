/**
 * Plain JSON Schema, written by builders that know the TypeScript type of what fits: for settings, data files, control calls
 * and whatever else is no call of the interface. `object({ url: string(), note: optional(string()) })` is read by
 * `fits` and `schemaFaults`; the fields of calls have types of their own, with the rules of spec D5.
 */
declare const fitting: unique symbol;

/**
 * `name` and `account`: of a person or company. `text`: of others, whatever stands in it. `sentence`: of ours, with names and account
 * numbers in it that its object lists (`personalParts`).
 */
export type Personal = "name" | "account" | "text" | "sentence" | "reason" | "url";

/** A JSON schema, in the keywords that `schemaFaults` knows. */
export interface Schema<Value = unknown> {
  readonly type?: "string" | "integer" | "number" | "boolean" | "null" | "array" | "object";
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  /** Lengths count Unicode code points. */
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  /** The schema of members without one of their own, or whether there may be any. */
  readonly additionalProperties?: Schema | boolean;
  /** Completes "must be …" where a reader tells what is wrong. */
  readonly description?: string;
  readonly default?: unknown;
  /** Data of a person in an answer, which is masked where its reader has given no reason to see it. */
  readonly personal?: Personal;
  /** For the compiler alone: the type of what fits. */
  readonly [fitting]?: Value;
}

/** The TypeScript type of what fits a schema. */
export type Static<Of extends Schema> = Of extends Schema<infer Value> ? Value : never;

/** Result of `optional`: a schema that its object may do without. */
interface OptionalMember<Of extends Schema = Schema> {
  readonly presence: "optional";
  readonly type: Of;
}

/** Members of an object; without `optional` they are mandatory. */
type Members = Readonly<Record<string, Schema | OptionalMember>>;
type OptionalNames<Of extends Members> = {
  [Name in keyof Of]: Of[Name] extends Schema ? never : Name;
}[keyof Of];
type MemberValue<Of> = Of extends OptionalMember<infer Type> ? Static<Type> : Of extends Schema ? Static<Of> : never;
type Flat<Of> = { [Name in keyof Of]: Of[Name] };

export type ObjectOf<Of extends Members> = Flat<
  { readonly [Name in Exclude<keyof Of, OptionalNames<Of>>]: MemberValue<Of[Name]> } & {
    readonly [Name in OptionalNames<Of>]?: MemberValue<Of[Name]>;
  }
>;

export interface ObjectSchema<Value = object> extends Schema<Value> {
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required: readonly string[];
}

type Options<Keyword extends keyof Schema = never> = Pick<Schema, Keyword | "description" | "default">;

export const string = (options: Options<"minLength" | "maxLength" | "pattern" | "personal"> = {}): Schema<string> => ({
  type: "string",
  ...options,
});

export const integer = (options: Options<"minimum" | "maximum"> = {}): Schema<number> => ({
  type: "integer",
  ...options,
});

/** Any number that JSON can write. */
export const number = (options: Options<"minimum" | "maximum"> = {}): Schema<number> => ({
  type: "number",
  ...options,
});

export const boolean = (options: Options = {}): Schema<boolean> => ({ type: "boolean", ...options });

/** One of these texts. */
export const choice = <const Value extends string>(values: readonly Value[], options: Options = {}): Schema<Value> => ({
  enum: values,
  ...options,
});

export const anyOf = <const Of extends readonly Schema[]>(
  schemas: Of,
  options: Options = {},
): Schema<Static<Of[number]>> => ({ anyOf: schemas, ...options });

export const orNull = <Value>(schema: Schema<Value>, options: Options = {}): Schema<Value | null> => ({
  anyOf: [schema, { type: "null" }],
  ...options,
});

export const array = <Value>(
  items: Schema<Value>,
  options: Options<"minItems" | "maxItems"> = {},
): Schema<readonly Value[]> => ({ type: "array", items, ...options });

/** An object of members of whatever names, all of one schema. */
export const record = <Value>(members: Schema<Value>): Schema<Readonly<Record<string, Value>>> => ({
  type: "object",
  additionalProperties: members,
});

export function object<const Of extends Members>(
  members: Of,
  options: Options<"additionalProperties"> = {},
): ObjectSchema<ObjectOf<Of>> {
  const entries = Object.entries(members);
  return {
    type: "object",
    required: entries.flatMap(([name, member]) => ("presence" in member ? [] : [name])),
    properties: Object.fromEntries(
      entries.map(([name, member]) => [name, "presence" in member ? member.type : member]),
    ),
    ...options,
  };
}
