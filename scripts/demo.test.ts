import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";

const limits = { timeout: 180_000, killSignal: "SIGKILL" } as const;

test("npm run demo tells its stories, everything as expected", async () => {
  const demo = resolve(import.meta.dirname, "demo.ts");
  const { stdout } = await promisify(execFile)(process.execPath, ["--conditions=source", demo], limits);
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
