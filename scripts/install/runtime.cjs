/* The Node 24 that npm installs: its package, its link in node_modules/.bin, and why it is missing. */
"use strict";

const fs = require("node:fs");
const path = require("node:path");

/** Names the package, whether npm has it or not. */
function packageOf({ platform, arch }) {
  return `node-${platform === "win32" ? "win" : platform}-${arch}`;
}

/**
 * npm 10 leaves out the packages of other platforms after it has linked ours, and with each the link of that name: all of
 * their programs are called `node`.
 */
function linkRuntime(root) {
  if (process.platform === "win32") return;
  const name = packageOf(process);
  const link = path.join(root, "node_modules", ".bin", "node");
  if (fs.existsSync(link) || !fs.existsSync(path.join(root, "node_modules", name, "bin", "node"))) return;
  fs.mkdirSync(path.dirname(link), { recursive: true });
  fs.rmSync(link, { force: true });
  try {
    fs.symlinkSync(path.join("..", name, "bin", "node"), link);
  } catch (error) {
    // Another process has just done the same.
    if (error.code !== "EEXIST") throw error;
  }
}

/** `locked`: the paths of the packages in the lockfile that are for this platform. */
function explainMissing(system, locked) {
  const name = packageOf(system);
  return locked.includes(`node_modules/${name}`)
    ? `npm left out its package ${name}, a Node 24, as it does in silence when a download fails,\n` +
        `and this is Node ${system.versions.node}.\n` +
        "Check the network and run the command again, or install Node 24 from https://nodejs.org."
    : `npm has no Node 24 for ${system.platform}-${system.arch}, and this is Node ${system.versions.node}.\n` +
        "Install Node 24 from https://nodejs.org and run the command again.";
}

module.exports = { explainMissing, linkRuntime };
