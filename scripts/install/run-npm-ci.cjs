/* Runs `npm ci`, shows how far it is, and says in plain words why it failed. */
"use strict";

const { spawn } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const { expectedError } = require("./expected-error.cjs");
const { isRegistryReachable } = require("./prerequisites.cjs");
const { startProgress } = require("./progress.cjs");
const { lockedPackages } = require("./state.cjs");

const options = [
  "ci",
  // Nothing we depend on needs an install script, so none may run.
  "--ignore-scripts",
  // Whatever NODE_ENV or the user's npm settings leave out: Node 24 and PostgreSQL are optional packages.
  "--include=dev",
  "--include=optional",
  "--prefer-offline",
  "--no-audit",
  "--no-fund",
  "--loglevel=error",
  // A machine without network hears of it in seconds, not in the minutes of npm's own schedule.
  "--fetch-retries=3",
  "--fetch-retry-mintimeout=500",
  "--fetch-retry-maxtimeout=3000",
];

const networkFault =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT|ENOTCACHED/;

/** Installs into `root`; `onSpawn` is told npm's process id. */
async function runNpmCi(root, onSpawn) {
  const wanted = lockedPackages(root).filter(([at]) => at.lastIndexOf("node_modules/") === 0);
  const countInstalled = () => wanted.filter(([at]) => fs.existsSync(path.join(root, at, "package.json"))).length;
  const progress = startProgress("Installing dependencies", wanted.length, countInstalled);
  const npm = findNpm();
  const isReachable = await isRegistryReachable(npm);
  // Without a network npm tries for half a minute; told so, it says at once what it has not kept.
  const { code, output } = await spawnNpm({
    root,
    npm,
    onSpawn,
    options: isReachable ? options : [...options, "--offline"],
  });
  progress.stop(code === 0);
  if (code === 0) return;
  if (/ENOSPC/.test(output))
    throw expectedError(`The disk of ${root} is full. Free some room and run the command again.`);
  if (networkFault.test(output)) {
    throw expectedError(
      `${output.trim()}\n\nThe dependencies could not be downloaded: the npm registry cannot be reached from here.\n` +
        "Check the network (or npm's `proxy` and `registry` settings) and run the command again.",
    );
  }
  throw expectedError(`${output.trim()}\n\n\`npm ci\` failed with code ${code}; the lines above are npm's own.`);
}

/** Under npm, the same npm and the Node that runs it: the Node in node_modules is about to be replaced. */
function findNpm() {
  const script = process.env.npm_execpath;
  const isWindows = process.platform === "win32";
  if (script === undefined) return { program: isWindows ? "npm.cmd" : "npm", args: [], shell: isWindows };
  return { program: process.env.npm_node_execpath ?? process.execPath, args: [script], shell: false };
}

function spawnNpm({ root, npm: { program, args, shell }, onSpawn, options: given }) {
  const child = spawn(program, [...args, ...given], { cwd: root, stdio: ["ignore", "pipe", "pipe"], shell });
  const stopForwarding = forwardSignals(child);
  return new Promise((resolve, reject) => {
    let output = "";
    const collect = (chunk) => {
      output = (output + chunk).slice(-20_000);
    };
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    child.on("spawn", () => onSpawn(child.pid));
    child.on("error", reject);
    child.on("close", (code, signal) => {
      stopForwarding();
      resolve({ code: code ?? signal, output });
    });
  });
}

/** Stopped by a signal, npm must not go on alone; the lock is released when this process exits after it. */
function forwardSignals(child) {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  const forward = (signal) => {
    child.kill(signal);
    child.once("close", () => process.exit(1));
  };
  for (const signal of signals) process.on(signal, forward);
  return () => {
    for (const signal of signals) process.off(signal, forward);
  };
}

module.exports = { runNpmCi };
