/**
 * Output of the commands. Results go to standard output, so that they can be piped; everything else to standard error.
 */

import { asTyped } from "./program-name.ts";

/** A line of the result. */
export function print(text = ""): void {
  console.log(text);
}

/** A line of progress, requests or advice; its commands are those that a person types here. */
export function note(text = ""): void {
  console.error(asTyped(text));
}

/** A value as readable JSON. */
export function formatJson(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
