/** `npm run docs:draw`: makes the drawings of the documents, and the contract's field-docs.ts from its descriptions. */
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fieldDescriptions, operationRows } from "@titian/contract";
import { redraw } from "./docs/drawing.ts";
import { drawn } from "./docs/drawn.ts";
import { drawFieldDocs, fieldDocsPath } from "./docs/field-docs.ts";

const root = resolve(import.meta.dirname, "..");
writeFileSync(join(root, fieldDocsPath), drawFieldDocs(fieldDescriptions, operationRows));

for (const { path, drawings } of drawn) {
  const text = redraw(readFileSync(join(root, path), "utf8"), drawings);
  if (text === undefined) {
    console.error(`${path}: error: a drawing has no place in it; see scripts/docs/drawn.ts`);
    process.exitCode = 1;
  } else writeFileSync(join(root, path), text);
}
