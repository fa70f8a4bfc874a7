/**
 * Goal: every quality gate is alive. Method: a tree of planted violations, one for each rule; each must be found where it
 * was planted, with the rule's own sentence, and no rule may be without one.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, test } from "node:test";
import oxlintConfig from "../oxlint.config.ts";
import { importTable } from "./lint/import-table.ts";
import { sentences } from "./lint/restricted-imports.ts";
import { checkFiles } from "./tidy/check-files.ts";
import { rules } from "./tidy/rules.ts";
import { treeRules } from "./tidy/tree-rules.ts";

const root = resolve(import.meta.dirname, "..");
const tree = mkdtempSync(join(tmpdir(), "titian-planted-"));
after(() => rmSync(tree, { recursive: true }));

interface Plant {
  readonly path: string;
  /** Text that the finding must contain; undefined: only keeps another company. */
  readonly expected: string | undefined;
  readonly content: string;
}

interface Finding {
  readonly path: string;
  readonly text: string;
}

function readPlants(): Plant[] {
  return globSync("scripts/planted/*.txt", { cwd: root }).flatMap((file) =>
    readFileSync(join(root, file), "utf8")
      .split(/^@@ /m)
      .slice(1)
      .map((section) => {
        const [head = "", ...lines] = section.split("\n");
        const [path = "", expected] = head.split(" :: ");
        return { path, expected, content: lines.flatMap(expand).join("\n") };
      }),
  );
}

function expand(line: string): string[] {
  const [, times, text] = /^@repeat (\d+) (.*)$/.exec(line) ?? [];
  return times === undefined || text === undefined ? [line] : Array.from({ length: Number(times) }, () => text);
}

function makeTree(plants: readonly Plant[]): void {
  for (const path of ["oxlint.config.ts", "tsconfig.json", "package.json"]) cpSync(join(root, path), join(tree, path));
  cpSync(join(root, "scripts", "lint"), join(tree, "scripts", "lint"), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(tree, "node_modules"));
  for (const { path, content } of plants) {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), content);
  }
}

interface Diagnostic {
  readonly filename: string;
  readonly code: string;
  readonly message: string;
  readonly help?: string;
}

function runOxlint(): Finding[] {
  const program = join(root, "node_modules", "oxlint", "bin", "oxlint");
  const run = spawnSync(process.execPath, [program, "--format=json", "packages", "test"], {
    cwd: tree,
    encoding: "utf8",
  });
  assert.equal(run.status, 1, run.stderr);
  const { diagnostics }: { diagnostics: Diagnostic[] } = JSON.parse(run.stdout);
  return diagnostics.map(({ filename, code, message, help }) => ({
    path: filename,
    text: `${code} ${message} ${help}`,
  }));
}

const plants = readPlants();
makeTree(plants);
const found = [...runOxlint(), ...checkFiles(tree).map(({ path, sentence }) => ({ path, text: sentence }))];

for (const { path, expected } of plants) {
  if (expected === undefined) continue;
  test(`the gate finds ${path}: ${expected}`, () => {
    const here = found.filter((one) => one.path === path).map((one) => one.text);
    assert.ok(
      here.some((text) => text.includes(expected)),
      `found there: ${here.join("\n") || "nothing"}`,
    );
  });
}

function isPlanted(text: string): boolean {
  return plants.some(({ expected }) => expected?.includes(text));
}

test("every row of the import table has a plant, in its own files", () => {
  for (const row of importTable) {
    const begin = row.files.replace(/[{*].*$/, "");
    const isHere = plants.some(({ path, expected }) => path.startsWith(begin) && expected === row.sentence);
    assert.ok(isHere, `${row.files}: ${row.sentence}`);
  }
});

test("every sentence and every rule of tidy has a plant", () => {
  for (const sentence of [...Object.values(sentences), ...[...rules, ...treeRules].map((rule) => rule.sentence)]) {
    assert.ok(isPlanted(sentence), sentence);
  }
});

test("every rule that oxlint enforces has a plant", () => {
  for (const [rule, level] of Object.entries(oxlintConfig.rules)) {
    if (level === "off") continue;
    const [plugin, name] = rule.includes("/") ? rule.split("/") : ["eslint", rule];
    assert.ok(isPlanted(`${plugin}(${name})`), rule);
  }
});
