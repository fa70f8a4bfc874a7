/*
 * Runs before `npm start`, `npm test` and `npm run check`: installs the locked dependencies when they are missing or
 * stale, builds the console's pages, and makes the program one file. The script that follows then finds Node 24 in node_modules/.bin, whatever Node the machine has.
 * Plain JavaScript without dependencies, and old syntax in this file, so that an old Node can say it is too old.
 */
"use strict";

var path = require("node:path");

var needed = [20, 19];
var found = process.versions.node.split(".").map(Number);
if (found[0] < needed[0] || (found[0] === needed[0] && found[1] < needed[1])) {
  console.error(
    "Titian needs Node " +
      needed.join(".") +
      " or newer to install itself; this is Node " +
      process.versions.node +
      " (" +
      process.execPath +
      ").\nInstall a newer Node from https://nodejs.org and run the command again.",
  );
  process.exit(1);
}

var { ensureInstalled } = require("./install/ensure-installed.cjs");
var { ensureConsole } = require("./install/ensure-console.cjs");
var { ensureProgram } = require("./install/ensure-program.cjs");

var root = path.resolve(__dirname, "..");

ensureInstalled(root)
  .then(function () {
    ensureConsole(root);
    ensureProgram(root);
  })
  .catch(function (error) {
    console.error("\n" + (error && error.isExpected ? error.message : (error && error.stack) || error));
    process.exitCode = 1;
  });
