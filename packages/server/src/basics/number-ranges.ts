/** Ranges of account numbers as operators write them: `5000000000-5999999999`, with a space between two. */

/** Account numbers of the same length, from one to the other as texts, both included. */
export interface NumberRange {
  readonly from: string;
  readonly to: string;
}

const shape = /^[0-9A-Za-z]{1,34}-[0-9A-Za-z]{1,34}$/;

/** Undefined: the word is no range. */
export function readRange(word: string): NumberRange | undefined {
  const [from = "", to = ""] = word.split("-");
  return shape.test(word) && from.length === to.length && from <= to ? { from, to } : undefined;
}

/** Ranges that `writeRanges` has written. */
export function readRanges(text: string): readonly NumberRange[] {
  return text.split(" ").flatMap((word) => readRange(word) ?? []);
}

/** In order, so that the same ranges are always the same text. */
export function writeRanges(ranges: readonly NumberRange[]): string {
  return ranges
    .map(({ from, to }) => `${from}-${to}`)
    .toSorted()
    .join(" ");
}

export function doOverlap(one: NumberRange, other: NumberRange): boolean {
  return one.from.length === other.from.length && one.from <= other.to && other.from <= one.to;
}
