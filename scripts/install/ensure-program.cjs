/*
 * Makes the program one file in a checkout when there is none of its sources: a second or two, without network. Later starts take
 * half the time.
 */
"use strict";

const { spawnSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");

/** Without the bundle the program runs from its sources, so a build that fails stops nothing. */
function ensureProgram(root) {
  const home = path.join(root, "packages", "cli", "bundle");
  // Packages that were installed without those of development cannot be bundled.
  if (!fs.existsSync(home) || !fs.existsSync(path.join(root, "node_modules", "esbuild"))) return;
  const { findFreshBundle } = require(path.join(home, "fresh-bundle.cjs"));
  if (findFreshBundle() !== undefined || !isWritable(path.join(root, "node_modules"))) return;
  const run = spawnSync(process.execPath, [path.join(home, "build.mjs")], { encoding: "utf8" });
  if (run.status !== 0) console.error(`The program could not be bundled, and starts from its sources.\n${run.stderr}`);
}

/** False: the checkout is another account's, which bundles the program when it starts it. */
function isWritable(directory) {
  try {
    fs.accessSync(directory, fs.constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

module.exports = { ensureProgram };
