/*
 * State of the installation, against what is locked. The mark in node_modules holds a hash of the lockfile and the
 * platform, and is written only after a whole install; npm's own hidden lockfile tells of an install made by hand.
 */
"use strict";

const { createHash } = require("node:crypto");
const fs = require("node:fs");
const path = require("node:path");

/** True when node_modules holds what package-lock.json asks for on this platform. */
function isInstalled(root) {
  if (!fs.existsSync(hiddenLockPath(root))) return false;
  if (readText(markPath(root)) === fingerprint(root)) return true;
  if (!installedByHand(root)) return false;
  markInstalled(root);
  return true;
}

/** The packages that an install puts in node_modules here: their path in the lockfile and their entry. */
function lockedPackages(root) {
  const { packages } = JSON.parse(fs.readFileSync(path.join(root, "package-lock.json"), "utf8"));
  return Object.entries(packages).filter(([at, entry]) => at.startsWith("node_modules/") && suitsPlatform(entry));
}

function markInstalled(root) {
  try {
    fs.writeFileSync(markPath(root), fingerprint(root));
  } catch {
    // A tree installed by someone else, read only to us: the comparison with npm's lockfile is made each time instead.
  }
}

function unmarkInstalled(root) {
  fs.rmSync(markPath(root), { force: true });
}

function installedByHand(root) {
  const hidden = JSON.parse(fs.readFileSync(hiddenLockPath(root), "utf8")).packages;
  return lockedPackages(root).every(([at, locked]) => {
    const installed = hidden[at];
    if (installed === undefined) return false;
    if (locked.link === true) return installed.link === true;
    return installed.version === locked.version && installed.integrity === locked.integrity;
  });
}

function suitsPlatform(entry) {
  // Optional and for any platform: in this tree always a dependency of some other platform's package.
  if (entry.optional === true && entry.os === undefined && entry.cpu === undefined) return false;
  return allows(entry.os, process.platform) && allows(entry.cpu, process.arch) && allows(entry.libc, libc());
}

/** npm's rule for `os`, `cpu` and `libc`: a word or a list of words, those with `!` excluded. */
function allows(words, value) {
  if (words === undefined || value === undefined) return true;
  const list = [words].flat();
  if (list.includes(`!${value}`)) return false;
  return list.every((item) => item.startsWith("!")) || list.includes(value);
}

/** npm's word for the C library of a Linux; undefined elsewhere. */
function libc() {
  if (process.platform !== "linux") return undefined;
  return process.report.getReport().header.glibcVersionRuntime === undefined ? "musl" : "glibc";
}

function fingerprint(root) {
  const hash = createHash("sha256")
    .update(fs.readFileSync(path.join(root, "package-lock.json")))
    .digest("hex");
  return `${hash} ${process.platform}-${process.arch}\n`;
}

function markPath(root) {
  return path.join(root, "node_modules", ".titian-installed");
}

function hiddenLockPath(root) {
  return path.join(root, "node_modules", ".package-lock.json");
}

function readText(file) {
  try {
    return fs.readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

module.exports = { isInstalled, lockedPackages, markInstalled, unmarkInstalled };
