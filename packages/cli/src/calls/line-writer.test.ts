import assert from "node:assert/strict";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { isAlive, waitUntil } from "@titian/embedded-postgres";

const writerUrl = new URL("line-writer.ts", import.meta.url).href;

/** Writes 20,000 lines, says so in a file, and goes on. */
const program = (isTerminal: boolean, said: string) => `
  import { writeFileSync } from "node:fs";
  import { createLineWriter } from ${JSON.stringify(writerUrl)};
  const writer = createLineWriter(${isTerminal});
  for (let n = 0; n < 20_000; n += 1) writer.line("line " + n + " " + "x".repeat(80));
  writeFileSync(${JSON.stringify(said)}, process.pid + "\\n");
  process.once("SIGTERM", () => process.exit(0));
  setInterval(() => writer.line("later"), 50);`;

/** Starts it with an output that nobody reads; resolves when it works on. */
async function startWriter(t: TestContext, isTerminal: boolean) {
  const directory = mkdtempSync(join(tmpdir(), "titian-lines-"));
  t.after(() => rmSync(directory, { recursive: true }));
  const [file, said] = [join(directory, "program.mjs"), join(directory, "said")];
  writeFileSync(file, program(isTerminal, said));
  const command = [process.execPath, "--conditions=source", file];
  const child = isTerminal
    ? spawn("script", ["-qefc", command.join(" "), "/dev/null"])
    : spawn(command[0] ?? "", command.slice(1));
  t.after(() => child.kill("SIGKILL"));
  child.stdout.pause();
  while (!existsSync(said) || readFileSync(said, "utf8") === "") {
    assert.equal(child.exitCode, null);
    await sleep(20);
  }
  return { child, pid: Number(readFileSync(said, "utf8")) };
}

/** Reads on until lines were written after those that were left out. */
async function readOn(child: ChildProcess): Promise<string> {
  let text = "";
  child.stdout?.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  child.stdout?.resume();
  while (!text.includes("later")) await sleep(20);
  return text;
}

/** Nobody may have asked for its exit code yet. */
async function expectGone(pid: number): Promise<void> {
  const isGone = () => !isAlive(pid) || undefined;
  assert.ok(await waitUntil(isGone, { timeoutMs: 20_000, everyMs: 20 }), `process ${pid} did not end within 20 s`);
}

const withoutScript = spawnSync("script", ["--version"]).error === undefined ? false : "script(1) is not installed";

for (const isTerminal of [false, true]) {
  const options = { timeout: 30_000, skip: isTerminal && withoutScript };
  const name = isTerminal ? "a terminal" : "a pipe";
  test(
    `${name} that nobody reads holds up nothing, and tells later how many lines were left out`,
    options,
    async (t) => {
      const { child } = await startWriter(t, isTerminal);
      const lines = (await readOn(child)).split(/\r?\n/);
      const shown = lines.filter((line) => /^line \d+ x{80}$/.test(line)).length;
      const leftOut = Number(/"event":"leftOut","lines":(\d+)/.exec(lines.join("\n"))?.[1]);
      assert.ok(shown > 0 && leftOut > 0);
      assert.ok(shown + leftOut >= 20_000, `${shown} and ${leftOut}`);
    },
  );

  test(`a process whose output is ${name} that nobody reads ends when it is asked to`, options, async (t) => {
    const { pid } = await startWriter(t, isTerminal);
    process.kill(pid, "SIGTERM");
    await expectGone(pid);
  });
}

test("an output that was closed ends nothing", async (t) => {
  const { child, pid } = await startWriter(t, false);
  child.stdout?.destroy();
  await sleep(300);
  process.kill(pid, 0);
});
