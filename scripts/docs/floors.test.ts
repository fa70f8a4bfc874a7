/** Goal: the drawings of packages and floors follow from the import table, and leave out arrows that others imply. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { ImportRow } from "../lint/import-table.ts";
import { drawFloors, drawPackages } from "./floors.ts";

const row = (files: string, packages: readonly string[], folders: readonly string[] = []): ImportRow => ({
  files,
  sentence: "",
  packages,
  folders,
});
const floor = (name: string, ...folders: string[]) => row(`packages/server/src/${name}/**`, [], folders);

test("packages by their own, without third parties, and without arrows that others imply", () => {
  const { lines } = drawPackages([
    row("packages/contract/src/**", ["node:crypto"]),
    row("packages/client/src/**", ["@titian/contract", "node:*"]),
    row("packages/cli/src/**", ["@titian/contract", "@titian/client", "@titian/client/testing", "commander"]),
    row("packages/console/src/**", ["preact"]),
  ]);
  assert.deepEqual(lines, [
    "```mermaid",
    "flowchart TD",
    "  client --> contract",
    "  cli --> client",
    "  console",
    "```",
  ]);
});

test("floors by their folders; parts of one are the folder, and what all import or what wires is left out", () => {
  const { lines } = drawFloors([
    floor("ledger"),
    floor("store", "ledger", "observability"),
    floor("operations", "store/reads/", "ledger", "basics/ids.ts"),
    floor("compose", "store", "operations"),
  ]);
  assert.deepEqual(lines, ["```mermaid", "flowchart TD", "  store --> ledger", "  operations --> store", "```"]);
});
