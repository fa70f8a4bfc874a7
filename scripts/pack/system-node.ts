/** The machine's own Node: the packages are made for it, and this script runs on the Node 24 from npm. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

export interface SystemNode {
  readonly path: string;
  /** As `v20.20.2`. */
  readonly version: string;
  /** False when the machine has no other Node than this one. */
  readonly isOther: boolean;
}

/** The first `node` on the path that npm did not put there. */
export function findSystemNode(path: string): SystemNode {
  const program = process.platform === "win32" ? "node.exe" : "node";
  for (const directory of path.split(delimiter)) {
    if (directory === "" || directory.includes("node_modules")) continue;
    const candidate = join(directory, program);
    if (!existsSync(candidate)) continue;
    const { status, stdout } = spawnSync(candidate, ["--version"], { encoding: "utf8" });
    if (status === 0) return { path: candidate, version: stdout.trim(), isOther: true };
  }
  return { path: process.execPath, version: process.version, isOther: false };
}
