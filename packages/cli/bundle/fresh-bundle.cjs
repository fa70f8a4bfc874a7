/*
 * The program in one file, which `build.mjs` makes in a checkout: loading some 1,500 files one by one is most of a start. It is used
 * while the sources are those that it was made from, by their sizes and times. CommonJS in old syntax: what runs before the first
 * install reads it too.
 */
"use strict";

const { createHash } = require("node:crypto");
const fs = require("node:fs");
const path = require("node:path");

const root = path.resolve(__dirname, "../../..");
const folder = path.join(root, "node_modules", ".cache", "titian-program");
/** Names the bundle, and what it was made from. */
const mark = path.join(folder, "bundle.json");

/** Path of the bundle of these sources; undefined where there is none. */
function findFreshBundle() {
  let made;
  try {
    made = JSON.parse(fs.readFileSync(mark, "utf8"));
    if (made.fingerprint !== fingerprintOfSources()) return undefined;
  } catch {
    return undefined;
  }
  const file = path.join(folder, made.name);
  return fs.existsSync(file) ? file : undefined;
}

/** Fingerprint of the modules of all packages, of what they need, and of what makes the bundle. */
function fingerprintOfSources() {
  const files = ["package-lock.json", "packages/cli/bundle/build.mjs"].map((file) => path.join(root, file));
  for (const name of fs.readdirSync(path.join(root, "packages"))) {
    const own = path.join(root, "packages", name);
    // Its pages are built apart, and read as files.
    if (name === "console" || !fs.existsSync(path.join(own, "src"))) continue;
    files.push(path.join(own, "package.json"));
    addModules(path.join(own, "src"), files);
  }
  const states = files.map((file) => {
    const { size, mtimeMs } = fs.statSync(file);
    return `${file} ${size} ${mtimeMs}`;
  });
  return createHash("sha256").update(states.join("\n")).digest("hex");
}

function addModules(directory, files) {
  for (const entry of fs.readdirSync(directory, { withFileTypes: true })) {
    const file = `${directory}${path.sep}${entry.name}`;
    if (entry.isDirectory()) addModules(file, files);
    else if (/(?<!\.test)\.ts$/.test(entry.name)) files.push(file);
  }
}

module.exports = { findFreshBundle, fingerprintOfSources, folder, mark, root };
