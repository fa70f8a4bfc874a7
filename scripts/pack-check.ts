/**
 * `npm run pack:check`: the packages as others get them. Packs all of them, installs the archives in empty directories,
 * starts the installed `titian`, and makes signed calls to it with the installed client and the machine's own Node.
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { findSystemNode } from "./pack/system-node.ts";
import { startSandbox } from "../test/support/black-box/start-sandbox.ts";

const root = resolve(import.meta.dirname, "..");
/** What an integrator installs, and what a provider adds to it. */
const callers = ["@titian/contract", "@titian/client"];
const providers = ["@titian/embedded-postgres", "@titian/server", "@titian/rail-files", "@titian/console"].concat([
  "@titian/sandbox",
  "titian",
]);
/** Major and minor version. */
const oldestNode = { major: 20, minor: 19 };

function run(program: string, args: readonly string[], cwd: string): void {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: "utf8" });
  if (status === 0) return;
  throw new Error(`${program} ${args.join(" ")} failed in ${cwd}:\n${stdout}${stderr}${error?.message ?? ""}`);
}

function npm(args: readonly string[], cwd: string): void {
  const script = process.env["npm_execpath"];
  if (script === undefined) run("npm", args, cwd);
  else run(process.env["npm_node_execpath"] ?? process.execPath, [script, ...args], cwd);
}

function pack(packages: readonly string[], archives: string): string[] {
  mkdirSync(archives);
  npm(["pack", ...packages.map((name) => `--workspace=${name}`), `--pack-destination=${archives}`], root);
  return readdirSync(archives).map((name) => join(archives, name));
}

function install(archives: readonly string[], directory: string): void {
  mkdirSync(directory);
  writeFileSync(join(directory, "package.json"), '{ "name": "installed", "private": true, "type": "module" }\n');
  npm(["install", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts", ...archives], directory);
}

async function callWithSystemNode(directory: string, main: string): Promise<void> {
  const node = findSystemNode(process.env["PATH"] ?? "");
  if (!node.isOther) console.log(`note: this machine has no Node of its own; the calls run on ${node.version}`);
  const [major = 0, minor = 0] = node.version.slice(1).split(".").map(Number);
  if (major < oldestNode.major || (major === oldestNode.major && minor < oldestNode.minor)) {
    const oldest = `${oldestNode.major}.${oldestNode.minor}`;
    throw new Error(`the packages are for Node ${oldest} and newer; ${node.path} is ${node.version}`);
  }
  copyFileSync(join(root, "scripts", "pack-check-call.mjs"), join(directory, "call.mjs"));
  await using sandbox = await startSandbox({}, { database: "embedded", script: [main, "serve"] });
  await checkConsole(sandbox.file.baseUrl);
  const { status } = spawnSync(node.path, ["call.mjs", join(sandbox.dataDir, "sandbox.json")], {
    cwd: directory,
    stdio: "inherit",
  });
  if (status !== 0) throw new Error(`the calls failed under ${node.path} (${node.version})`);
}

/** The installed sandbox serves the console with its assets. */
async function checkConsole(baseUrl: string): Promise<void> {
  const page = await (await fetch(`${baseUrl}/`)).text();
  const assets = [...page.matchAll(/(?:src|href)="(assets\/[^"]+)"/g)].map(([, path]) => path);
  const found = await Promise.all(assets.map(async (path) => (await fetch(`${baseUrl}/${path}`)).ok));
  if (assets.length < 3 || found.includes(false)) throw new Error(`the console is not whole: ${page}`);
}

const scratch = mkdtempSync(join(tmpdir(), "titian-pack-"));
try {
  console.log(`Packing ${[...callers, ...providers].join(", ")}`);
  const forCallers = pack(callers, join(scratch, "callers"));
  const forProviders = pack(providers, join(scratch, "providers"));
  console.log("Installing the archives in empty directories");
  install(forCallers, join(scratch, "integrator"));
  install([...forCallers, ...forProviders], join(scratch, "provider"));
  console.log("Starting the installed sandbox and calling it");
  await callWithSystemNode(join(scratch, "integrator"), join(scratch, "provider/node_modules/titian/dist/main.js"));
  console.log("pack: the packages work as others get them");
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
