/* Decides whether an install is needed, makes sure only one process installs at a time, and checks what came out. */
"use strict";

const { spawnSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const { acquireLock } = require("./lock.cjs");
const { expectedError } = require("./expected-error.cjs");
const { explainMissing, linkRuntime } = require("./runtime.cjs");
const { checkRoom, isFull } = require("./prerequisites.cjs");
const { runNpmCi } = require("./run-npm-ci.cjs");
const { isInstalled, lockedPackages, markInstalled, unmarkInstalled } = require("./state.cjs");

/** As `engines` of packages/server/package.json. */
const oldestRuntime = [24, 0];

/** Installs the locked dependencies of the checkout at `root` unless they are there already. */
async function ensureInstalled(root) {
  if (isInstalled(root)) return linkRuntime(root);
  checkWritable(root);
  const release = await acquireLock(path.join(root, ".install.lock"), (holder) => {
    console.log(`Another process (${holder}) is installing the dependencies here; waiting for it.`);
  });
  try {
    if (isInstalled(root)) return;
    checkRoom(root);
    // The mark goes first: an install cut short at any point leaves none behind, and the next start installs again.
    unmarkInstalled(root);
    await runNpmCi(root, release.noteChild);
    if (isFull(root)) throw expectedError(`The disk of ${root} is full. Free some room and run the command again.`);
    linkRuntime(root);
    checkRuntime(root);
    markInstalled(root);
  } finally {
    release();
  }
}

function checkWritable(root) {
  try {
    fs.accessSync(root, fs.constants.W_OK);
  } catch (error) {
    throw expectedError(
      `The dependencies are missing, and ${root} cannot be written (${error.code}).\n` +
        "Run the command once where it can be, as its owner, or install with `npm ci` before the directory is made read-only.",
    );
  }
}

/** An optional dependency that cannot be had is skipped by npm in silence, and Node 24 is one. */
function checkRuntime(root) {
  const runtime = path.join(root, "node_modules", ".bin", process.platform === "win32" ? "node.cmd" : "node");
  if (fs.existsSync(runtime)) {
    const run = spawnSync(runtime, ["--version"], { encoding: "utf8", shell: process.platform === "win32" });
    if (run.status === 0) return;
    throw expectedError(
      `The Node that npm installed (${runtime}) does not run on this machine: ${run.stderr || run.error || "no output"}\n` +
        "It needs a Linux with glibc. Elsewhere, install Node 24 yourself and run `npm ci --omit=optional`.",
    );
  }
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > oldestRuntime[0] || (major === oldestRuntime[0] && minor >= oldestRuntime[1])) return;
  throw expectedError(
    explainMissing(
      process,
      lockedPackages(root).map(([at]) => at),
    ),
  );
}

module.exports = { ensureInstalled };
