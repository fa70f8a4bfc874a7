/** The sandbox of the data directory, where it runs already: a second start says so, and how to start another one. */
import { join } from "node:path";
import { request } from "undici";
import type { Config } from "@titian/server";
import { CliError } from "../cli-error.ts";
import { commandNames } from "../program-name.ts";
import { readSandboxFile, type SandboxFile } from "../sandbox/sandbox-file.ts";

/** A file that a killed sandbox left names an address where nobody, or somebody else, answers. */
const answersWithinMs = 3_000;

/** @throws CliError where it runs */
export async function rejectSecondStart({ dataDir, sandbox, databaseUrl }: Config): Promise<void> {
  if (!sandbox || databaseUrl !== undefined) return;
  const file = fileOf(dataDir);
  if (file === undefined || !(await takesToken(file))) return;
  throw new CliError(
    `Titian runs from ${dataDir} already, at ${file.baseUrl}: stop it with Ctrl-C in its terminal. ` +
      `For a second one beside it: TITIAN_DATA_DIR=${dataDir}-2 PORT=0 ${commandNames().start}`,
  );
}

function fileOf(dataDir: string): SandboxFile | undefined {
  try {
    return readSandboxFile(join(dataDir, "sandbox.json"));
  } catch {
    return undefined;
  }
}

/** Only the sandbox that wrote the file takes its token. */
async function takesToken({ baseUrl, controlToken }: SandboxFile): Promise<boolean> {
  const headers = { Authorization: `Bearer ${controlToken}` };
  const signal = AbortSignal.timeout(answersWithinMs);
  const response = await request(`${baseUrl}/sandbox/clock`, { headers, signal }).catch(() => undefined);
  response?.body.destroy();
  return response?.statusCode === 200;
}
