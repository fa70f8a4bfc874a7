/**
 * What the commands write. Standard output carries the result, so that it can be piped on; everything said about it
 * goes to standard error.
 */

/** A line of the result. */
export function print(text = ""): void {
  console.log(text);
}

/** A line about the result: progress, requests, advice. */
export function note(text = ""): void {
  console.error(text);
}

/** A value as readable JSON. */
export function formatJson(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
