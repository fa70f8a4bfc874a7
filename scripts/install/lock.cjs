/*
 * A lock file for one install at a time. It names the holder and the npm it started: a holder killed outright may leave
 * its npm writing to node_modules, so the lock is stale only when both are gone.
 */
"use strict";

const fs = require("node:fs");
const os = require("node:os");
const { setTimeout: sleep } = require("node:timers/promises");

/** The holder touches the file this often, in ms. */
const heartbeatMs = 2_000;
/** A holder on another host (a shared folder, a container) can only be judged by its heartbeat. */
const foreignStaleMs = 30_000;
/** A number of a process that died may be given to another: without a heartbeat for so long, nobody installs. */
const staleMs = 5 * 60_000;

/**
 * Takes the lock at `file`, waiting for whoever holds it; `onWait` is told once who that is.
 * The returned function releases it; its `noteChild(pid)` names the npm started under it.
 */
async function acquireLock(file, onWait) {
  const holder = { pid: process.pid, host: os.hostname() };
  let isToldToWait = false;
  while (!create(file, JSON.stringify(holder))) {
    if (isStale(file)) {
      breakLock(file);
      continue;
    }
    if (!isToldToWait) onWait(`pid ${read(file)?.pid ?? "unknown"}; if there is none, delete ${file}`);
    isToldToWait = true;
    await sleep(250);
  }
  const heartbeat = setInterval(() => touch(file), heartbeatMs);
  heartbeat.unref();
  const release = () => {
    clearInterval(heartbeat);
    process.off("exit", release);
    if (read(file)?.pid === holder.pid) fs.rmSync(file, { force: true });
  };
  process.on("exit", release);
  return Object.assign(release, {
    noteChild: (child) => fs.writeFileSync(file, JSON.stringify({ ...holder, child })),
  });
}

function create(file, content) {
  try {
    fs.writeFileSync(file, content, { flag: "wx" });
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  }
}

function isStale(file) {
  const age = ageMs(file);
  if (age === undefined) return false;
  if (age > staleMs) return true;
  const holder = read(file);
  if (holder === undefined || holder.host !== os.hostname()) return age > foreignStaleMs;
  return !isAlive(holder.pid) && (holder.child === undefined || !isAlive(holder.child));
}

/** Removes a stale lock. Two waiting processes may see it stale; the guard file lets one of them look again and remove it. */
function breakLock(file) {
  const guard = `${file}.break`;
  if (!create(guard, "")) {
    if ((ageMs(guard) ?? 0) > foreignStaleMs) fs.rmSync(guard, { force: true });
    return;
  }
  try {
    if (isStale(file)) fs.rmSync(file, { force: true });
  } finally {
    fs.rmSync(guard, { force: true });
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error.code === "EPERM";
  }
  try {
    // Ended, but never collected by its parent: a container without init keeps the number.
    return !/\) Z /.test(fs.readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return true;
  }
}

/** The holder, or undefined while the file is being written, broken or gone. */
function read(file) {
  try {
    return JSON.parse(fs.readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

function ageMs(file) {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  return stat === undefined ? undefined : Date.now() - stat.mtimeMs;
}

function touch(file) {
  const now = new Date();
  try {
    fs.utimesSync(file, now, now);
  } catch {
    // Deleted by hand: the install goes on, only its lock is lost.
  }
}

module.exports = { acquireLock };
