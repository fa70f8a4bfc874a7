/** Operators' calls of the running sandbox, whatever database or service this process's settings name. */
import { readSandboxFile, sandboxFilePath } from "../sandbox/sandbox-file.ts";
import type { CallRow } from "./call-row.ts";
import { callsOf } from "./http.ts";

export interface SandboxFlags {
  readonly json?: true;
  readonly sandboxFile?: string;
}

export function sandboxCalls({ sandboxFile }: SandboxFlags): CallRow {
  return callsOf(() => readSandboxFile(sandboxFilePath(sandboxFile)));
}
