/** Makers of text types: bounded text, text of a pattern, one of a list. */
import type { Documented, TextType } from "./field-type.ts";
import { forbidden, space } from "./characters.ts";
import { choice, string } from "./schema.ts";
import { isText } from "./text.ts";

/** Text of 1 to `max` code points without the characters that `isText` rejects. */
export function text(max: number): TextType {
  const read = (value: string): string | undefined => (isText(value, max) ? value : undefined);
  const schema = string({ minLength: 1, maxLength: max });
  const documented = { request: { ...schema, pattern: textPattern } };
  return { kind: "text", max, schema, read, documented };
}

const textPattern = `^[^${forbidden}]*[^${space}${forbidden}][^${forbidden}]*$`;

/** A text that may be empty in a response, though it is mandatory there: a rejected transfer has no reference number. */
export function orEmpty(type: TextType): TextType {
  return { ...type, documented: { ...type.documented, response: { type: "string", maxLength: type.max } } };
}

/** Text of 1 to `max` code points and a pattern, which must be anchored. */
export function pattern(max: number, expression: RegExp, format: string): TextType {
  const read = (value: string): string | undefined =>
    isText(value, max) && expression.test(value) ? value : undefined;
  const schema = string({ minLength: 1, maxLength: max, pattern: expression.source });
  return { kind: "text", max, schema, read, format };
}

/** Text accepted by a function no pattern can express, such as a real calendar date. */
export function checked(
  max: number,
  accepts: (value: string) => boolean,
  { format, pattern: shape }: { readonly format: string; readonly pattern?: string },
  documented: Documented = {},
): TextType {
  const read = (value: string): string | undefined => (accepts(value) ? value : undefined);
  const schema = string({ minLength: 1, maxLength: max, ...(shape !== undefined && { pattern: shape }) });
  return { kind: "text", max, schema, read, documented, format };
}

/**
 * One of the listed texts. With `ignoreCase` a text in other letters' case is read as the listed spelling;
 * lists are then written in lower case.
 */
export function oneOf<const T extends string>(
  values: readonly T[],
  { ignoreCase = false, format }: { readonly ignoreCase?: boolean; readonly format?: string } = {},
): TextType<T> {
  const max = Math.max(...values.map((value) => value.length));
  const bySpelling = new Map<string, T>(values.map((value) => [value, value]));
  const read = (value: string): T | undefined => bySpelling.get(ignoreCase ? value.toLowerCase() : value);
  const schema = choice(values);
  const type = { kind: "text", max, schema, read, values, ...(format !== undefined && { format }) } as const;
  if (!ignoreCase) return type;
  return { ...type, documented: { request: { type: "string", pattern: `^(?:${values.map(inAnyCase).join("|")})$` } } };
}

/** A pattern of a text of letters and underscores in whatever case. */
function inAnyCase(value: string): string {
  return value.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}
