/** The table of last runs has a row for each long run, and its slices are there. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { subjects } from "./subjects.ts";

const root = resolve(import.meta.dirname, "../..");
const rows = readFileSync(join(import.meta.dirname, "README.md"), "utf8")
  .split("\n")
  .filter((line) => line.startsWith("| "))
  .map((line) => line.split("|").map((cell) => cell.trim()))
  .slice(1);

test("each long run has its row", () => {
  assert.deepEqual(
    rows.map(([, name]) => name),
    Object.keys(subjects),
  );
});

test("the slices that the table names are there", () => {
  const named = rows.flatMap((cells) => [...(cells.at(-2) ?? "").matchAll(/`([^`]+)`/g)].map(([, path]) => path ?? ""));
  assert.ok(named.length > 0);
  assert.deepEqual(
    named.filter((path) => !existsSync(join(root, path.startsWith("scripts/") ? path : `test/${path}`))),
    [],
  );
});
