/** `npm run docs:draw`: draws the state machines of docs/states.md from the tables the code decides by. */
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { machines } from "./docs/machines.ts";
import { redraw } from "./docs/states.ts";

const path = join(resolve(import.meta.dirname, ".."), "docs/states.md");
const drawn = redraw(readFileSync(path, "utf8"), machines);
if (drawn === undefined) {
  console.error("docs/states.md: error: a machine has no place in it; see scripts/docs/machines.ts");
  process.exitCode = 1;
} else writeFileSync(path, drawn);
