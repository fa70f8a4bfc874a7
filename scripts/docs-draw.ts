/**
 * `npm run docs:draw`: makes the drawings of the documents, the contract's field-docs.ts from its descriptions,
 * docs/reference/control-calls.md from the rows, the programs of examples/calls, and the collections of examples/collections.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fieldDescriptions, operationRows } from "@titian/contract";
import { controlCalls } from "@titian/control";
import { sandboxCalls } from "../packages/sandbox/src/control/sandbox-routes.ts";
import { drawCollections, listCollections } from "./docs/collections/draw-collections.ts";
import { controlCallsPath, drawControlCalls } from "./docs/control-calls.ts";
import { redraw } from "./docs/drawing.ts";
import { drawn } from "./docs/drawn.ts";
import { drawExamples } from "./docs/examples.ts";
import { drawFieldDocs, fieldDocsPath } from "./docs/field-docs.ts";

const root = resolve(import.meta.dirname, "..");
writeFileSync(join(root, fieldDocsPath), drawFieldDocs(fieldDescriptions, operationRows));
writeFileSync(join(root, controlCallsPath), drawControlCalls([...controlCalls, ...sandboxCalls]));

for (const [path, text] of drawExamples()) writeFileSync(join(root, path), text);

for (const path of listCollections(root)) rmSync(join(root, path));
for (const [path, text] of drawCollections([...controlCalls, ...sandboxCalls])) {
  mkdirSync(join(root, dirname(path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

for (const { path, drawings } of drawn) {
  const text = redraw(readFileSync(join(root, path), "utf8"), drawings);
  if (text === undefined) {
    console.error(`${path}: error: a drawing has no place in it; see scripts/docs/drawn.ts`);
    process.exitCode = 1;
  } else writeFileSync(join(root, path), text);
}
