/** Makers of text types: bounded text, text of a pattern, one of a list. */
import Type from "typebox";
import type { TextType } from "./field-type.ts";
import { isText } from "./text.ts";

const isString = (value: unknown): value is string => typeof value === "string";

/** Text of 1 to `max` code points without the characters that `isText` refuses. */
export function text(max: number): TextType {
  const read = (value: string): string | undefined => (isText(value, max) ? value : undefined);
  const schema = Type.Refine(
    Type.String({ minLength: 1, maxLength: max }),
    (value) => isString(value) && isText(value, max),
  );
  return { kind: "text", max, schema, read };
}

/** Text of 1 to `max` code points and a pattern, which must be anchored. */
export function pattern(max: number, expression: RegExp, description: string): TextType {
  const read = (value: string): string | undefined =>
    isText(value, max) && expression.test(value) ? value : undefined;
  const schema = Type.String({ minLength: 1, maxLength: max, pattern: expression.source, description });
  return { kind: "text", max, schema, read };
}

/** Text accepted by a function no pattern can express, such as a real calendar date. */
export function checked(
  max: number,
  accepts: (value: string) => boolean,
  options: { readonly format?: string; readonly description: string },
): TextType {
  const read = (value: string): string | undefined => (accepts(value) ? value : undefined);
  const schema = Type.Refine(
    Type.String({ minLength: 1, maxLength: max, ...options }),
    (value) => isString(value) && accepts(value),
  );
  return { kind: "text", max, schema, read };
}

/**
 * One of the listed texts. With `ignoreCase` a text in other letters' case is read as the listed spelling;
 * lists are then written in lower case.
 */
export function oneOf<const T extends string>(
  values: readonly T[],
  options: { readonly ignoreCase?: boolean; readonly description?: string } = {},
): TextType<T> {
  const max = Math.max(...values.map((value) => value.length));
  const bySpelling = new Map<string, T>(values.map((value) => [value, value]));
  const ignoreCase = options.ignoreCase ?? false;
  const read = (value: string): T | undefined => bySpelling.get(ignoreCase ? value.toLowerCase() : value);
  const description = options.description;
  const schema = Type.Enum([...values], description === undefined ? {} : { description });
  return { kind: "text", max, schema, read };
}
