/** `npm test -- --changed` leaves no test out that a change can make fail, and says what it chose. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { choose } from "./changed-files.ts";
import { readDurations } from "./durations.ts";
import { createImportGraph } from "./import-graph.ts";
import { listTestFiles } from "./test-files.ts";

const tree = mkdtempSync(join(tmpdir(), "titian-graph-"));
after(() => rmSync(tree, { recursive: true }));

const texts: Readonly<Record<string, string>> = {
  "packages/one/package.json": `{ "name": "@x/one", "exports": { ".": { "source": "./src/index.ts" }, "./deep": { "source": "./src/deep.ts" } } }`,
  "packages/one/src/index.ts": `export { value } from "./value.ts";`,
  "packages/one/src/value.ts": `export const value = readdirSync(new URL("./tables/", import.meta.url));`,
  "packages/one/src/deep.ts": `export const deep = await import("./later.ts");`,
  "packages/one/src/later.ts": "",
  "packages/one/src/tables/0001.sql": "",
  "packages/one/data/banks.json": "",
  "packages/one/src/value.test.ts": `import "./value.ts";`,
  "test/by-package.test.ts": `import { value } from "@x/one";`,
  "test/by-entry.test.ts": `import "@x/one/deep";`,
  "test/by-program.test.ts": `import { start } from "./support/start.ts";`,
  "test/support/start.ts": `spawn("node", ["packages/one/src/index.ts"]); join(data, "banks.json");`,
  "test/of-a-page.test.ts": `const block = "docs/page.md#2";`,
  "docs/page.md": "",
  "scripts/planted.test.ts": "",
};
for (const [path, text] of Object.entries(texts)) {
  mkdirSync(dirname(join(tree, path)), { recursive: true });
  writeFileSync(join(tree, path), text);
}
const files = Object.keys(texts);
const tests = files.filter((file) => file.endsWith(".test.ts"));
const chooseFor = (...changed: readonly string[]) =>
  choose(changed, "HEAD", tests, () => createImportGraph(tree, files));

for (const [changed, reached] of [
  [
    "packages/one/src/tables/0001.sql",
    ["packages/one/src/value.test.ts", "test/by-package.test.ts", "test/by-program.test.ts"],
  ],
  ["packages/one/src/later.ts", ["test/by-entry.test.ts"]],
  ["packages/one/data/banks.json", ["test/by-program.test.ts"]],
  ["docs/page.md", ["test/of-a-page.test.ts"]],
  ["test/by-entry.test.ts", ["test/by-entry.test.ts"]],
  ["LICENSE", []],
] as const) {
  test(`a change of ${changed} chooses ${reached.length} files, and those that look at everything`, () => {
    const { files: chosen, why } = chooseFor(changed);
    assert.deepEqual(chosen.toSorted(), [...reached, "scripts/planted.test.ts"].toSorted());
    assert.match(why, new RegExp(`${changed}: ${reached.length}\\n`));
  });
}

test("a change of the packages or of the runner chooses every test", () => {
  for (const changed of ["package-lock.json", "scripts/test/run-unit.ts"]) {
    const { files: chosen, why } = chooseFor("LICENSE", changed);
    assert.deepEqual(chosen, tests);
    assert.match(why, new RegExp(`among them ${changed}: every test file runs`));
  }
});

test("the kept times are of test files that are there", () => {
  const all = listTestFiles();
  const known = new Set([...all.pure, ...all.others]);
  assert.deepEqual(
    [...readDurations().keys()].filter((file) => !known.has(file)),
    [],
  );
});
