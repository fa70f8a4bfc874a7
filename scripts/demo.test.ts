import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";

const limits = { timeout: 180_000, killSignal: "SIGKILL" } as const;

test("npm run demo: every example prints its recorded output, crashes lose nothing, and the audit is clean", async () => {
  const demo = resolve(import.meta.dirname, "demo.ts");
  const { stdout } = await promisify(execFile)(process.execPath, ["--conditions=source", demo], limits);
  const examples = [
    "authorized-payment",
    "bulk-transfer",
    "checkout",
    "interbank-transfer",
    "intrabank-transfer",
    "payment-request",
    "payroll",
  ];
  for (const name of examples) {
    assert.ok(stdout.includes(`ok      examples/${name}.ts\n`), name);
  }
  assert.match(stdout, /^Clean: no differences\.$/m);
  // Lines of the service's log are passed on as they are: on a busy machine it has warnings.
  const wide = stdout.split("\n").filter((line) => line.length > 80 && !line.startsWith('  {"level":'));
  assert.deepEqual(wide, [], "wider than a terminal");
  if (process.platform !== "linux") return;
  assert.match(
    stdout,
    /killed   PostgreSQL, [^]+killed   both, [^]+killed   node, [^]+paid     [\d,]+ transfers, Rp [\d.]+\n/,
  );
  assert.match(stdout, /nothing is lost, nothing is doubled, the audit is clean\.$/m);
});
