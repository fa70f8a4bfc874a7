import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { lockHome } from "./home-lock.ts";

const home = mkdtempSync(join(tmpdir(), "titian-lock-"));
after(() => rmSync(home, { recursive: true }));

/** Locks the home and says "held"; with an argument it goes on holding it. */
const program = `
  const { lockHome } = await import(${JSON.stringify(import.meta.resolve("./home-lock.ts"))});
  lockHome(process.argv[1]);
  console.log("held");
  if (process.argv[2]) setInterval(() => {}, 1000);
`;
const node = [process.execPath, "--input-type=module", "--eval", program, home] as const;
const lockElsewhere = (before: readonly string[] = []) => {
  const [command, ...args] = [...before, ...node];
  return spawnSync(command, args, { encoding: "utf8" });
};
const otherNamespace = ["unshare", "--pid", "--fork", "--mount-proc"] as const;
const hasNamespaces = spawnSync(otherNamespace[0], [...otherNamespace.slice(1), "true"]).status === 0;

test("a lock is one process's, and is told whose; given back it can be taken again", () => {
  const release = lockHome(home);
  assert.throws(() => lockHome(home), new RegExp(`run by process ${process.pid} already`));
  // The try of this process has not given it back.
  assert.match(lockElsewhere().stderr, new RegExp(`run by process ${process.pid} already`));
  assert.equal(statSync(join(home, "lock.db")).mode & 0o777, 0o600);
  release();
  assert.ok(!existsSync(join(home, "holder.json")));
  assert.equal(lockElsewhere().stdout, "held\n");
  lockHome(home)();
});

test("a process killed outright leaves no lock behind", async () => {
  const [command, ...args] = node;
  const child = spawn(command, [...args, "on"], { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  assert.throws(() => lockHome(home), new RegExp(`run by process ${child.pid} already`));
  child.kill("SIGKILL");
  await once(child, "exit");
  lockHome(home)();
});

test("a process that sees other numbers, as in another container, is turned away as well", {
  skip: !hasNamespaces && "namespaces of process numbers need root on Linux",
}, () => {
  const release = lockHome(home);
  assert.match(lockElsewhere(otherNamespace).stderr, /run by process \d+ already/);
  release();
  assert.equal(lockElsewhere(otherNamespace).stdout, "held\n");
});
