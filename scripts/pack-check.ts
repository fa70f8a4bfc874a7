/**
 * `npm run pack:check`: the packages as others get them. Packs all of them, installs the archives in empty directories,
 * starts the installed `titian` and makes signed calls with the installed client: under the machine's own Node, the oldest
 * that each package is for, Node 22, and ours.
 */
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { checkAdvice, checkCommand, checkSandbox, type Installed } from "./pack/check-installed.ts";
import { fetchNode, type FoundNode, minimumOf, satisfies } from "./pack/nodes.ts";
import { runNpm } from "./pack/run.ts";
import { findSystemNode } from "./pack/system-node.ts";

const root = resolve(import.meta.dirname, "..");
/** Packages that an integrator installs; beside them those that a provider adds. */
const callers = ["@titian/contract", "@titian/client"];
const providers = [
  "@titian/embedded-postgres",
  "@titian/explain",
  "@titian/reference",
  "@titian/server",
  "@titian/rail-files",
  "@titian/console",
  "@titian/control",
  "@titian/sandbox",
  "titian",
];

function pack(packages: readonly string[], archives: string): string[] {
  mkdirSync(archives);
  const workspaces = packages.map((name) => `--workspace=${name}`);
  runNpm(["pack", ...workspaces, `--pack-destination=${archives}`], { cwd: root });
  return readdirSync(archives).map((name) => join(archives, name));
}

function install(archives: readonly string[], directory: string): void {
  mkdirSync(directory);
  writeFileSync(join(directory, "package.json"), '{ "name": "installed", "private": true, "type": "module" }\n');
  runNpm(["install", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts", ...archives], {
    cwd: directory,
  });
}

/** @throws when an archive came without the repository's licence. */
function checkLicenses(directory: string): void {
  const license = readFileSync(join(root, "LICENSE"), "utf8");
  const without = [...callers, ...providers].filter((name) => {
    const path = join(directory, "node_modules", name, "LICENSE");
    return !existsSync(path) || readFileSync(path, "utf8") !== license;
  });
  if (without.length > 0) throw new Error(`without the repository's LICENSE: ${without.join(", ")}`);
  console.log("Every package has its LICENSE");
}

const enginesOf = (directory: string): string =>
  JSON.parse(readFileSync(join(root, "packages", directory, "package.json"), "utf8")).engines.node;

/** The long-term version between the oldest of the client and that of the service. */
const between = "22.23.3";

/** The machine's own first; a version that it has is not fetched again. */
function findNodes(engines: Installed["engines"]): readonly FoundNode[] {
  const own = findSystemNode(process.env["PATH"] ?? "");
  if (own === undefined) console.log("note: this machine has no Node of its own");
  const current = { path: process.execPath, version: process.versions.node };
  const nodes = own === undefined ? [current] : [own, current];
  for (const wanted of [minimumOf(engines.client), between, minimumOf(engines.titian)]) {
    if (nodes.some(({ version }) => version === wanted)) continue;
    const node = fetchNode(wanted);
    if (node === undefined) console.log(`note: npm has no Node for ${process.platform}-${process.arch}`);
    else nodes.push(node);
  }
  return nodes;
}

async function check(installed: Installed): Promise<void> {
  const nodes = findNodes(installed.engines);
  const { titian, client } = installed.engines;
  copyFileSync(join(root, "scripts", "pack-check-call.mjs"), join(installed.integrator, "call.mjs"));
  for (const node of nodes) {
    if (!satisfies(node.version, client))
      throw new Error(`the packages are for Node ${client}; ${node.path} is ${node.version}`);
    console.log(`Node ${node.version}: ${checkCommand(node, installed)}`);
  }
  const tooOld = nodes.find(({ version }) => !satisfies(version, titian));
  if (tooOld !== undefined) {
    checkAdvice(tooOld, installed);
    console.log(`Node ${tooOld.version}: what the sentence advises works`);
  }
  const [first, ...others] = nodes.filter(({ version }) => satisfies(version, titian));
  if (first === undefined) throw new Error("no Node was found that runs the service");
  console.log(`Starting the installed sandbox under Node ${first.version} and calling it`);
  await checkSandbox(first, nodes, installed);
  for (const node of others) {
    console.log(`Starting the installed sandbox under Node ${node.version} and calling it`);
    await checkSandbox(node, [node], installed);
  }
}

const scratch = mkdtempSync(join(tmpdir(), "titian-pack-"));
try {
  console.log(`Packing ${[...callers, ...providers].join(", ")}`);
  const forCallers = pack(callers, join(scratch, "callers"));
  const forProviders = pack(providers, join(scratch, "providers"));
  console.log("Installing the archives in empty directories");
  const installed = {
    integrator: join(scratch, "integrator"),
    provider: join(scratch, "provider"),
    engines: { titian: enginesOf("cli"), client: enginesOf("client") },
  };
  install(forCallers, installed.integrator);
  install([...forCallers, ...forProviders], installed.provider);
  checkLicenses(installed.provider);
  await check(installed);
  console.log("pack: the packages work as others get them");
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
