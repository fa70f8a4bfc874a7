/** The files of examples/collections, from the operations and the rows of control calls. */
import { globSync } from "node:fs";
import type { AnyCall } from "@titian/control";
import type { Drift } from "../document.ts";
import { writeBruno } from "./bruno.ts";
import { controlPart } from "./control-calls.ts";
import { operationPart } from "./operation-calls.ts";
import { writePostman } from "./postman.ts";

const collectionsPath = "examples/collections";

/** The text of each file, by its path. */
export function drawCollections(rows: readonly AnyCall[]): ReadonlyMap<string, string> {
  const parts = [operationPart(), controlPart(rows)];
  const files = [
    ...writePostman(parts).map(([file, text]) => [`postman/${file}`, text] as const),
    ...writeBruno(parts).map(([file, text]) => [`bruno/${file}`, text] as const),
  ];
  return new Map(files.map(([file, text]) => [`${collectionsPath}/${file}`, text]));
}

/** Files of the collections that are there. */
export function listCollections(root: string): readonly string[] {
  return globSync(`${collectionsPath}/{postman,bruno}/**/*.{json,bru}`, { cwd: root }).toSorted();
}

export function checkCollections(
  drawn: ReadonlyMap<string, string>,
  found: readonly string[],
  read: (path: string) => string,
): Drift[] {
  const wrong = [
    ...[...drawn.keys()].filter((path) => !found.includes(path) || read(path) !== drawn.get(path)),
    ...found.filter((path) => !drawn.has(path)),
  ];
  return wrong.map((path) => ({ path, line: 1, message: "the collection is not of the rows: npm run docs:draw" }));
}
