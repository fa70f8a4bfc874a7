/** Makers of text types: bounded text, text of a pattern, one of a list. */
import Type from "typebox";
import type { Documented, TextType } from "./field-type.ts";
import { isText } from "./text.ts";

const isString = (value: unknown): value is string => typeof value === "string";

/** Text of 1 to `max` code points without the characters that `isText` refuses. */
export function text(max: number): TextType {
  const read = (value: string): string | undefined => (isText(value, max) ? value : undefined);
  const schema = Type.Refine(
    Type.String({ minLength: 1, maxLength: max }),
    (value) => isString(value) && isText(value, max),
  );
  const documented = { request: { type: "string", minLength: 1, maxLength: max, pattern: textPattern } };
  return { kind: "text", max, schema, read, documented };
}

/** What `isText` accepts, as far as the patterns of all languages can say it: non-characters above U+FFFF it cannot. */
const forbidden =
  "\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069\\ufdd0-\\ufdef\\ufffe\\uffff";
const textPattern = `^[^${forbidden}]*[^\\s${forbidden}][^${forbidden}]*$`;

/** A text that may be empty in an answer, though it is mandatory there: a refused transfer has no number of ours. */
export function orEmpty(type: TextType): TextType {
  return { ...type, documented: { ...type.documented, response: { type: "string", maxLength: type.max } } };
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
  options: { readonly description: string; readonly pattern?: string },
  documented: Documented = {},
): TextType {
  const read = (value: string): string | undefined => (accepts(value) ? value : undefined);
  const schema = Type.Refine(
    Type.String({ minLength: 1, maxLength: max, ...options }),
    (value) => isString(value) && accepts(value),
  );
  return { kind: "text", max, schema, read, documented };
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
  const described = description === undefined ? {} : { description };
  const schema = Type.Enum([...values], described);
  if (!ignoreCase) return { kind: "text", max, schema, read };
  const request = { type: "string", pattern: `^(?:${values.map(inAnyCase).join("|")})$`, ...described };
  return { kind: "text", max, schema, read, documented: { request } };
}

/** A pattern of a text of letters and underscores in whatever case. */
function inAnyCase(value: string): string {
  return value.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}
