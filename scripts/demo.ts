/**
 * `npm run demo`: runs every example on a fresh sandbox, shows its output, compares it with the recorded one,
 * `examples/<name>.out`, and audits the ledger; kills another sandbox under load; and on a terminal ends in the console of the
 * first. `npm run demo -- --update` records anew.
 */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { startSandbox } from "../test/support/black-box/start-sandbox.ts";
import { showCrashes } from "./demo/show-crashes.ts";

const root = resolve(import.meta.dirname, "..");
const isUpdate = process.argv.includes("--update");
const timeLimitMs = 60_000;

/** Values that differ from run to run, and their placeholders in a recorded output. */
const masks: readonly (readonly [RegExp, string])[] = [
  [/\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b/g, "<our number>"],
  [/\b\d{32}\b/g, "<external id>"],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g, "<time>"],
  [/\b(INV|PAY)-\d+\b/g, "$1-<number>"],
  [/\bIN\d{12}\b/g, "<the rail's number>"],
];

async function run(...program: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ["--conditions=source", ...program], {
    cwd: root,
    timeout: timeLimitMs,
    killSignal: "SIGKILL",
  });
  return stdout;
}

/** The first line in which two texts differ, as a sentence. */
function describeDifference(recorded: string, printed: string): string {
  const [was, is] = [recorded.split("\n"), printed.split("\n")];
  const line = is.findIndex((text, index) => text !== was[index]);
  const at = line === -1 ? is.length : line;
  return `line ${at + 1} is now\n    ${is[at] ?? "(the end)"}\n  and was\n    ${was[at] ?? "(the end)"}`;
}

async function runExample(path: string, sandboxFile: string): Promise<boolean> {
  console.log(`\n${path}\n`);
  const output = await run(path, sandboxFile);
  console.log(output);
  const printed = masks.reduce((text, [pattern, mask]) => text.replaceAll(pattern, mask), output);
  const recordedPath = resolve(root, path.replace(/\.ts$/, ".out"));
  const recorded = existsSync(recordedPath) ? readFileSync(recordedPath, "utf8") : "";
  if (printed === recorded) {
    console.log(`ok      ${path}`);
    return true;
  }
  if (isUpdate) {
    writeFileSync(recordedPath, printed);
    console.log(`wrote   ${path.replace(/\.ts$/, ".out")}`);
    return true;
  }
  console.log(`FAILED  ${path}: ${describeDifference(recorded, printed)}`);
  console.log("  If this is intended: npm run demo -- --update");
  return false;
}

console.log("Starting a fresh sandbox: the real service, an embedded PostgreSQL,");
console.log("simulated money");
await using sandbox = await startSandbox(
  // The default of 10 s is long for a demonstration of a slow rail.
  { TITIAN_INTERBANK_WAIT_SECONDS: "2", TITIAN_LOG_LEVEL: "warn" },
  { database: "embedded", onProgress: (line) => console.log(`  ${line}`) },
);
const sandboxFile = join(sandbox.dataDir, "sandbox.json");
const results: boolean[] = [];
for (const path of globSync("examples/*.ts", { cwd: root }).toSorted()) {
  results.push(await runExample(path, sandboxFile));
}
console.log("\nAudit of the ledger:");
console.log(await run("packages/cli/src/main.mjs", "audit", "--sandbox-file", sandboxFile));
console.log(`${results.length} examples, ${results.filter((isSame) => !isSame).length} failed`);
// Elsewhere the processes of a sandbox are not found.
const isLinux = process.platform === "linux";
const isKept = !isLinux || (await showCrashes(Number(process.env["TITIAN_TEST_SEED"] ?? Date.now() % 1_000_000)));
process.exitCode = isKept && results.length > 0 && results.every(Boolean) ? 0 : 1;
if (process.stdout.isTTY) {
  console.log("\nSee what the examples left, in the console (Ctrl-C ends it and removes all):");
  console.log(`  ${new URL("/", sandbox.file.baseUrl).href}`);
  await once(process, "SIGINT");
}
