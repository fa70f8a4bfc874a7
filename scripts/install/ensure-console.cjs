/*
 * Builds the console's pages in a checkout when they are missing or older than their sources: under a second, without
 * network. The mark in node_modules holds a hash of what they were built from.
 */
"use strict";

const { spawnSync } = require("node:child_process");
const { createHash } = require("node:crypto");
const fs = require("node:fs");
const path = require("node:path");

/** A sandbox without its console is of use too, so a build that fails stops nothing. */
function ensureConsole(root) {
  const home = path.join(root, "packages", "console");
  const build = path.join(home, "build.mjs");
  if (!fs.existsSync(build)) return;
  const mark = path.join(root, "node_modules", ".titian-console");
  const wanted = fingerprint(home);
  if (fs.existsSync(path.join(home, "dist", "index.html")) && readText(mark) === wanted) return;
  const run = spawnSync(process.execPath, [build], { encoding: "utf8" });
  if (run.status === 0) fs.writeFileSync(mark, wanted);
  else console.error(`The console's pages could not be built; the rest works without them.\n${run.stderr}`);
}

/** Fingerprint of the sources by name and content, and of what builds them. */
function fingerprint(home) {
  const hash = createHash("sha256");
  const sources = ["../contract/src/csv-cells.ts", "../contract/src/written-amounts.ts"];
  const shared = sources.filter((file) => fs.existsSync(path.join(home, file)));
  for (const file of ["package.json", "build.mjs", ...shared, ...filesIn(home, "src")]) {
    hash.update(`${file}\n`).update(fs.readFileSync(path.join(home, file)));
  }
  return `${hash.digest("hex")}\n`;
}

function filesIn(home, directory) {
  const entries = fs.readdirSync(path.join(home, directory), { withFileTypes: true });
  return entries.flatMap((entry) => {
    const name = `${directory}/${entry.name}`;
    return entry.isDirectory() ? filesIn(home, name) : [name];
  });
}

function readText(file) {
  try {
    return fs.readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

module.exports = { ensureConsole };
