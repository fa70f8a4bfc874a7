/** Reads the files of a tree once, and asks every rule about each and about all of them. */
import { spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { check, type Finding, type SourceFile } from "./rule.ts";
import { rules } from "./rules.ts";
import { checkTree } from "./tree-rules.ts";

const text = /\.(ts|tsx|cjs|mjs|js|css|sql|sh|json|md|yml)$|^\.ci\//;

function readFiles(root: string): readonly SourceFile[] {
  return listFiles(root).map((path) => ({ path, lines: readFileSync(join(root, path), "utf8").split("\n") }));
}

/** Findings of tidy in the tree at `root`, by path and line. */
export function checkFiles(root: string): Finding[] {
  const files = readFiles(root);
  return [...files.flatMap((file) => rules.flatMap((rule) => check(rule, file))), ...checkTree(files)];
}

/** Tracked and new files; without git (an unpacked archive) all that an install and a build did not make. */
function listFiles(root: string): string[] {
  const git = spawnSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "-z"], {
    cwd: root,
    encoding: "utf8",
  });
  const isRepository = git.status === 0 && git.stdout.length > 0;
  const found = isRepository
    ? git.stdout.split("\0")
    : globSync("**/*.*", { cwd: root, exclude: (name) => name === "node_modules" || name === "dist" });
  const paths = new Set(found.map((path) => path.replaceAll("\\", "/")).filter((path) => text.test(path)));
  // Git lists what was deleted and not committed yet.
  return [...paths].filter((path) => existsSync(join(root, path))).toSorted();
}
