/** Every drawing of the documents, by its document: `npm run docs:draw` makes them, `npm run docs:check` compares them. */
import { importTable } from "../lint/import-table.ts";
import type { Drawing } from "./drawing.ts";
import { drawFloors, drawPackages } from "./floors.ts";
import { machines } from "./machines.ts";
import { drawMachine } from "./states.ts";

export const drawn: readonly { readonly path: string; readonly drawings: readonly Drawing[] }[] = [
  { path: "docs/reference/states.md", drawings: machines.map(drawMachine) },
  { path: "docs/architecture.md", drawings: [drawPackages(importTable), drawFloors(importTable)] },
];
