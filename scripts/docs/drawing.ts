/** Drawings in the documents: lines between two marks, made of the tables that the code goes by. */
import type { Document, Drift } from "./document.ts";

export interface Drawing {
  /** As in its mark, `<!-- drawn: name -->`. */
  readonly name: string;
  readonly lines: readonly string[];
}

const opening = (name: string) => `<!-- drawn: ${name} -->`;
const closing = "<!-- end -->";

/** The document with everything drawn anew; undefined when a drawing has no place in it. */
export function redraw(text: string, drawings: readonly Drawing[]): string | undefined {
  let drawn = text;
  for (const { name, lines } of drawings) {
    const start = drawn.indexOf(opening(name));
    const end = drawn.indexOf(closing, start);
    if (start === -1 || end === -1) return undefined;
    drawn = drawn.slice(0, start) + [opening(name), "", ...lines, "", ""].join("\n") + drawn.slice(end);
  }
  return drawn;
}

/** The document shows what the tables say. */
export function checkDrawings(path: string, document: Document | undefined, drawings: readonly Drawing[]): Drift[] {
  const text = document?.lines.join("\n");
  if (text !== undefined && redraw(text, drawings) === text) return [];
  return [{ path, line: 1, message: "a drawing is not that of the tables: npm run docs:draw" }];
}
