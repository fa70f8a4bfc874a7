/**
 * Output of the commands. Results go to standard output, so that they can be piped; everything else to standard error.
 */

/** A line of the result. */
export function print(text = ""): void {
  console.log(text);
}

/** A line of progress, requests or advice. */
export function note(text = ""): void {
  console.error(text);
}

/** A value as readable JSON. */
export function formatJson(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
