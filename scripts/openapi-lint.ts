/**
 * `npm run openapi:lint`: the OpenAPI document, looked at by Redocly and Spectral. They are installed beside this file, from a
 * lock file of their own, since few need them and they are many packages. An error fails; warnings are shown.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createOpenApi, writeOpenApi } from "@titian/contract";

const folder = resolve(import.meta.dirname, "openapi-lint");
const directory = mkdtempSync(join(tmpdir(), "titian-openapi-"));
const document = join(directory, "openapi.json");
const options = { pathPrefix: "", version: "v1.0", serverUrl: "https://api.bank.example" };

function run(command: string, ...args: readonly string[]): boolean {
  console.log(`\n── ${[command, ...args].join(" ")}`);
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  return spawnSync(command, args, { cwd: folder, stdio: "inherit", env }).status === 0;
}

try {
  writeFileSync(document, writeOpenApi(createOpenApi(options)));
  const bin = join(folder, "node_modules", ".bin");
  if (!existsSync(join(bin, "redocly"))) run("npm", "ci", "--ignore-scripts");
  const redocly = run(join(bin, "redocly"), "lint", document, "--config", "redocly.yaml");
  const spectral = run(
    join(bin, "spectral"),
    "lint",
    document,
    "--ruleset",
    ".spectral.yaml",
    "--fail-severity",
    "error",
  );
  if (!redocly || !spectral) process.exitCode = 1;
} finally {
  rmSync(directory, { recursive: true });
}
