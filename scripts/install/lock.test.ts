/** Goal: one install at a time, also between processes, whichever dies. Method: real processes and a counted section. */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

type Release = (() => void) & { noteChild(pid: number): void };
const { acquireLock }: { acquireLock(file: string, onWait: (holder: string) => void): Promise<Release> } =
  createRequire(import.meta.url)("./lock.cjs");

const directory = mkdtempSync(join(tmpdir(), "titian-install-"));
const file = join(directory, "lock");
after(() => rmSync(directory, { recursive: true }));

const deadPid = spawnSync(process.execPath, ["-e", ""]).pid;
const mustNotWait = (holder: string) => assert.fail(`waits for ${holder}`);

test("processes take turns", async () => {
  const log = join(directory, "turns");
  const script = `
    const { acquireLock } = require(${JSON.stringify(join(import.meta.dirname, "lock.cjs"))});
    const { appendFileSync } = require("node:fs");
    acquireLock(${JSON.stringify(file)}, () => {}).then((release) => {
      appendFileSync(${JSON.stringify(log)}, "in ");
      setTimeout(() => { appendFileSync(${JSON.stringify(log)}, "out "); release(); }, 50);
    });`;
  const processes = [1, 2, 3].map(() => spawn(process.execPath, ["-e", script], { stdio: "inherit" }));
  await Promise.all(processes.map((child) => once(child, "exit")));
  assert.equal(readFileSync(log, "utf8"), "in out in out in out ");
  assert.ok(!existsSync(file));
});

test("the lock of a dead process is taken over", async () => {
  writeFileSync(file, JSON.stringify({ pid: deadPid, host: hostname() }));
  (await acquireLock(file, mustNotWait))();
  writeFileSync(file, JSON.stringify({ pid: deadPid, host: hostname(), child: deadPid }));
  (await acquireLock(file, mustNotWait))();
});

test("the npm of a dead process is waited for", async () => {
  const npm = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
  writeFileSync(file, JSON.stringify({ pid: deadPid, host: hostname(), child: npm.pid }));
  const waited: string[] = [];
  const release = await acquireLock(file, (holder) => {
    waited.push(holder);
    npm.kill("SIGKILL");
  });
  release();
  assert.equal(waited.length, 1);
  assert.match(waited[0] ?? "", new RegExp(`pid ${deadPid}`));
});
