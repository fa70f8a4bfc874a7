/* Conditions of an install that are looked at before npm runs, so that their absence is said at once and in plain words. */
"use strict";

const { spawnSync } = require("node:child_process");
const fs = require("node:fs");
const net = require("node:net");
const path = require("node:path");
const { expectedError } = require("./expected-error.cjs");

/** MiB that node_modules takes. */
const roomMiB = 550;
/** A registry that has not answered by then, in ms, is not waited for. */
const answerWithinMs = 1_500;

/** Throws when the disk under `root` has no room for the dependencies; those of an older release make some when they go. */
function checkRoom(root) {
  const freeMiB = readFreeMiB(root);
  if (freeMiB >= roomMiB || fs.existsSync(path.join(root, "node_modules"))) return;
  throw expectedError(
    `The dependencies take ${roomMiB} MiB, and the disk of ${root} has ${freeMiB} MiB left.\n` +
      "Free some room, or move the checkout to another disk, and run the command again.",
  );
}

function readFreeMiB(root) {
  const { bavail, bsize } = fs.statfsSync(root);
  return Math.floor((bavail * bsize) / 1_048_576);
}

/** npm may end well on a full disk, with files that are empty. */
function isFull(root) {
  return readFreeMiB(root) < 1;
}

/** Variables that npm takes a proxy from, beside its settings, which do not show them. */
const proxyVariables = /^(?:https?|all)_proxy$/i;

/** Resolves to false when npm cannot reach its registry; true where a proxy stands between, which only npm knows how to use. */
async function isRegistryReachable(npm, env = process.env) {
  if (Object.keys(env).some((name) => proxyVariables.test(name) && env[name] !== "")) return true;
  const run = spawnSync(npm.program, [...npm.args, "config", "get", "registry", "proxy", "https-proxy"], {
    encoding: "utf8",
    shell: npm.shell,
    env,
  });
  const settings = Object.fromEntries((run.stdout ?? "").split("\n").map((line) => line.trim().split(/ ?= ?/)));
  const hasProxy = [settings.proxy, settings["https-proxy"]].some((value) => value !== undefined && value !== "null");
  if (hasProxy || !URL.canParse(settings.registry)) return true;
  const { hostname, port, protocol } = new URL(settings.registry);
  return canConnect(hostname.replace(/^\[|\]$/g, ""), Number(port || (protocol === "http:" ? 80 : 443)));
}

function canConnect(host, port) {
  return new Promise((resolve) => {
    const socket = net.connect({ host, port, timeout: answerWithinMs });
    const end = (isConnected) => {
      socket.destroy();
      resolve(isConnected);
    };
    socket.once("connect", () => end(true));
    socket.once("error", () => end(false));
    socket.once("timeout", () => end(false));
  });
}

module.exports = { checkRoom, isFull, isRegistryReachable };
