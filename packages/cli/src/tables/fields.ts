/** One thing with its fields and amounts, a line each. */
import { groupDigits } from "./group-digits.ts";

/** Fields with an undefined text are left out. */
export type Field = readonly [name: string, text: string | undefined];

const nameWidth = 20;

export function formatFields(fields: readonly Field[], width = nameWidth): string {
  return fields.flatMap(([name, text]) => (text === undefined ? [] : [`${name.padEnd(width)}${text}`])).join("\n");
}

/** Below each other, to the right, with their digits grouped. */
export function formatAmounts(amounts: readonly Field[], currency: string): string {
  const grouped = amounts.map(([name, text]): Field => [name, text && groupDigits(text)]);
  const width = Math.max(...grouped.map(([, text]) => text?.length ?? 0));
  return formatFields(grouped.map(([name, text]) => [name, text && `${text.padStart(width)} ${currency}`]));
}
