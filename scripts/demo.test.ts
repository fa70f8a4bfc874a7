import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";

const limits = { timeout: 180_000, killSignal: "SIGKILL" } as const;

/** Resolves with what it printed when it ends with 0. */
function runScript(name: string) {
  return promisify(execFile)(process.execPath, ["--conditions=source", resolve(import.meta.dirname, name)], limits);
}

test("npm run demo tells its story, everything as expected", async () => {
  const { stdout } = await runScript("demo.ts");
  assert.match(stdout, /^All \d+ as expected\.$/m);
  assert.match(stdout, /9\. The audit/);
});

test("npm run examples:check finds every example to print what was recorded", async () => {
  const { stdout } = await runScript("examples-check.ts");
  assert.match(stdout, /^ok +examples\/intrabank-transfer\.ts$/m);
});
