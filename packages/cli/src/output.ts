/**
 * Output of the commands. Results go to standard output, so that they can be piped; everything else to standard error.
 */

/** A line of the result. */
export function print(text = ""): void {
  console.log(text);
}

let asTyped = (text: string) => text;

/** Says how commands in notes are written (`program-name.ts`, which loads more than help and usage need). */
export function typeCommandsBy(write: typeof asTyped): void {
  asTyped = write;
}

/** A line of progress, requests or advice; its commands are those that a person types here. */
export function note(text = ""): void {
  console.error(asTyped(text));
}

/** A value as readable JSON. */
export function formatJson(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
