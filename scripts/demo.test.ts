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

test("npm run demo tells its stories, everything as expected", async () => {
  const { stdout } = await runScript("demo.ts");
  assert.match(stdout, /^All \d+ as expected\.$/m);
  for (const chapter of [
    "3. Transfer",
    "10. Check-in",
    "19. The clock is moved",
    "24. A slow rail",
    "28. The clock is moved",
    "30. The audit",
  ]) {
    assert.ok(stdout.includes(chapter), chapter);
  }
});

test("npm run examples:check finds every example to print what was recorded", async () => {
  const { stdout } = await runScript("examples-check.ts");
  for (const name of ["authorized-payment", "interbank-transfer", "intrabank-transfer"]) {
    assert.ok(stdout.includes(`ok      examples/${name}.ts\n`), name);
  }
});
