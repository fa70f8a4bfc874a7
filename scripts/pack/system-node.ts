/** The machine's own Node: the packages are made for it, and this script runs on the Node 24 from npm. */
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type FoundNode, versionOf } from "./nodes.ts";

/** The first `node` on the path that npm did not put there; undefined when the machine has none. */
export function findSystemNode(path: string): FoundNode | undefined {
  const program = process.platform === "win32" ? "node.exe" : "node";
  for (const directory of path.split(delimiter)) {
    const candidate = join(directory, program);
    if (directory === "" || directory.includes("node_modules") || !existsSync(candidate)) continue;
    return { path: candidate, version: versionOf(candidate) };
  }
  return undefined;
}
