import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { lockHome } from "./home-lock.ts";

const home = mkdtempSync(join(tmpdir(), "titian-lock-"));
const path = join(home, "lock");
after(() => rmSync(home, { recursive: true }));

/** A process that ran and ended. */
const deadPid = spawnSync(process.execPath, ["-e", ""]).pid;

const stale = [
  { name: "its holder is gone", content: JSON.stringify({ pid: deadPid, home }) },
  {
    name: "its holder's number is another process's now",
    content: JSON.stringify({ pid: process.pid, start: "a:1", home }),
  },
  { name: "it was copied with its home", content: JSON.stringify({ pid: process.pid, home: "/elsewhere" }) },
  { name: "a crash left it empty", content: "" },
];

for (const { name, content } of stale) {
  test(`a lock is taken over when ${name}`, { skip: content.includes("a:1") && process.platform !== "linux" }, () => {
    writeFileSync(path, content);
    const release = lockHome(home);
    assert.throws(() => lockHome(home), new RegExp(`run by process ${process.pid} already`));
    release();
    assert.ok(!existsSync(path));
  });
}

test("a lock given back can be taken again", () => {
  lockHome(home)();
  lockHome(home)();
});
