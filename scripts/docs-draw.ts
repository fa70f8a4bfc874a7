/**
 * `npm run docs:draw`: draws docs/reference/states.md from the state tables, and the contract's field-docs.ts from its
 * descriptions.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fieldDescriptions, operationRows } from "@titian/contract";
import { drawFieldDocs, fieldDocsPath } from "./docs/field-docs.ts";
import { machines } from "./docs/machines.ts";
import { redraw } from "./docs/states.ts";

const root = resolve(import.meta.dirname, "..");
writeFileSync(join(root, fieldDocsPath), drawFieldDocs(fieldDescriptions, operationRows));

const path = join(root, "docs/reference/states.md");
const drawn = redraw(readFileSync(path, "utf8"), machines);
if (drawn === undefined) {
  console.error("docs/reference/states.md: error: a machine has no place in it; see scripts/docs/machines.ts");
  process.exitCode = 1;
} else writeFileSync(path, drawn);
