/** Arrays as statement parameters, without the driver's quoting: ids and numbers as array text, free text split in SQL. */

/** ASCII record separator: the edge rejects control characters in every text, and JSON text escapes them. */
const separator = "\u001e";

/** Stands for null in a text list: a single unit separator, which no text can hold either. */
const nullText = "\u001f";

/** Array literal of values that need no quoting: ids, bigint, int. Null and undefined become NULL. */
export function plainArray(values: readonly (string | number | bigint | null | undefined)[]): string {
  let text = "{";
  for (let i = 0; i < values.length; i += 1) text += `${i === 0 ? "" : ","}${values[i] ?? "NULL"}`;
  return `${text}}`;
}

/** One text for `string_to_array($n, E'\x1e', E'\x1f')`. An empty list must not be sent: it would read as no element. */
export function textList(values: readonly (string | null | undefined)[]): string {
  return values.map((value) => value ?? nullText).join(separator);
}

/** SQL that reads parameter `n` as the text array that `textList` made. */
export function readTextList(parameter: number): string {
  return `string_to_array($${parameter}::text, E'\\x1e', E'\\x1f')`;
}
