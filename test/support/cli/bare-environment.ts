/** Environment of a process under test, from ours: what finds programs, and modules that were compiled before. */
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The suite starts hundreds of processes: compiling their modules costs most of a start. */
export const compileCache = process.env["NODE_COMPILE_CACHE"] ?? join(tmpdir(), "titian-compile-cache");

export function bareEnvironment(): Readonly<Record<string, string>> {
  const { PATH = "", HOME = "" } = process.env;
  return { PATH, HOME, NODE_COMPILE_CACHE: compileCache };
}
