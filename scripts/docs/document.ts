/** The documents people read, and where in them something stands. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface Document {
  /** From the root of the repository. */
  readonly path: string;
  readonly lines: readonly string[];
}

/** Something a document says that is not so. */
export interface Drift {
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  readonly message: string;
}

const patterns = ["*.md", "docs/**/*.md", "packages/*/*.md", "examples/**/*.md", "bench/*.md", "scripts/**/*.md"];

export function readDocuments(root: string): Document[] {
  return globSync(patterns, { cwd: root, exclude: (name) => name === "node_modules" })
    .toSorted()
    .map((path) => ({ path, lines: readFileSync(join(root, path), "utf8").split("\n") }));
}

/** Collects what `find` makes of every line of every document. */
export function onEveryLine(
  documents: readonly Document[],
  find: (line: string, document: Document) => string[],
): Drift[] {
  return documents.flatMap((document) =>
    document.lines.flatMap((line, index) =>
      find(line, document).map((message) => ({ path: document.path, line: index + 1, message })),
    ),
  );
}
