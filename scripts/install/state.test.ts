import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, beforeEach, test } from "node:test";

interface State {
  isInstalled(root: string): boolean;
  markInstalled(root: string): void;
  unmarkInstalled(root: string): void;
  lockedPackages(root: string): [string, unknown][];
}

const state: State = createRequire(import.meta.url)("./state.cjs");
const root = mkdtempSync(join(tmpdir(), "titian-install-"));
after(() => rmSync(root, { recursive: true }));

const a = { version: "1.0.0", integrity: "sha512-a" };
const elsewhere = { version: "1.0.0", integrity: "sha512-e", optional: true, os: ["plan9"] };
const ofElsewhere = { version: "1.0.0", integrity: "sha512-t", optional: true };
const packages = {
  "": { name: "x" },
  "packages/own": { version: "0.1.0" },
  "node_modules/own": { resolved: "packages/own", link: true },
  "node_modules/a": a,
  "node_modules/elsewhere": elsewhere,
  "node_modules/only-of-elsewhere": ofElsewhere,
};

function writeLock(content: object): void {
  writeFileSync(join(root, "package-lock.json"), JSON.stringify({ packages: content }));
}

function writeInstalled(content: object): void {
  writeFileSync(join(root, "node_modules", ".package-lock.json"), JSON.stringify({ packages: content }));
}

beforeEach(() => {
  rmSync(join(root, "node_modules"), { recursive: true, force: true });
  mkdirSync(join(root, "node_modules"));
  writeLock(packages);
});

test("nothing is installed where npm left no lockfile of its own", () => {
  state.markInstalled(root);
  assert.equal(state.isInstalled(root), false);
});

test("an install by hand counts when it has what this platform needs", () => {
  writeInstalled({ "node_modules/own": { resolved: "packages/own", link: true }, "node_modules/a": a });
  assert.equal(state.isInstalled(root), true);
});

test("an install that lacks a package, or has another version, is stale", () => {
  writeInstalled({ "node_modules/own": { link: true } });
  assert.equal(state.isInstalled(root), false);
  writeInstalled({ "node_modules/own": { link: true }, "node_modules/a": { ...a, integrity: "sha512-other" } });
  assert.equal(state.isInstalled(root), false);
});

test("a mark holds until the lockfile changes", () => {
  writeInstalled({});
  state.markInstalled(root);
  assert.equal(state.isInstalled(root), true);
  writeLock({ ...packages, "node_modules/b": a });
  assert.equal(state.isInstalled(root), false);
});

test("an install that was cut short is done again", () => {
  writeInstalled({});
  state.markInstalled(root);
  state.unmarkInstalled(root);
  assert.equal(state.isInstalled(root), false);
});

test("packages of other platforms are not waited for", () => {
  assert.deepEqual(
    state.lockedPackages(root).map(([at]) => at),
    ["node_modules/own", "node_modules/a"],
  );
});
