/** One thing with its fields and amounts, a line each. */

/** Fields with an undefined text are left out. */
export type Field = readonly [name: string, text: string | undefined];

const nameWidth = 20;

export function formatFields(fields: readonly Field[], width = nameWidth): string {
  return fields.flatMap(([name, text]) => (text === undefined ? [] : [`${name.padEnd(width)}${text}`])).join("\n");
}

/** Below each other, to the right. */
export function formatAmounts(amounts: readonly Field[], currency: string): string {
  const width = Math.max(...amounts.map(([, text]) => text?.length ?? 0));
  return formatFields(amounts.map(([name, text]) => [name, text && `${text.padStart(width)} ${currency}`]));
}
