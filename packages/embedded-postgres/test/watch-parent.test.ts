/** Goal: npm killed outright ends its script, with and without a shell between them. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("./watched.ts", import.meta.url));
const node = JSON.stringify(process.execPath);

const cases = [
  { name: "its child", command: `require("child_process").spawn(${node}, [process.argv[1]], { stdio: "inherit" })` },
  {
    name: "its shell's child",
    // The colon keeps the shell from becoming the script.
    command: `require("child_process").spawn("sh", ["-c", ${JSON.stringify(`${node} "$0"; :`)}, process.argv[1]], { stdio: "inherit" })`,
  },
];

for (const { name, command } of cases) {
  test(`a script learns that npm is gone: ${name}`, { skip: process.platform !== "linux" }, async () => {
    const npm = spawn(process.execPath, ["-e", command, script], { stdio: ["ignore", "pipe", "inherit"] });
    const lines = createInterface(npm.stdout)[Symbol.asyncIterator]();
    assert.equal((await lines.next()).value, "watching");
    const ended = once(npm, "exit");
    npm.kill("SIGKILL");
    await ended;
    assert.equal((await lines.next()).value, "npm is gone");
    assert.equal((await lines.next()).done, true);
  });
}

test("a script that was told who started it learns that npm was gone before it looked", async () => {
  // Its parent is this test, and npm is a process that has ended.
  const npm = spawn(process.execPath, ["-e", ""]);
  await once(npm, "exit");
  const child = spawn(process.execPath, [script, String(npm.pid)], { stdio: ["ignore", "pipe", "inherit"] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  assert.equal((await lines.next()).value, "watching");
  assert.equal((await lines.next()).value, "npm is gone");
});
