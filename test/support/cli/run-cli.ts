/** The `titian` command as its users run it: a process of its own. */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { bareEnvironment } from "./bare-environment.ts";

const main = fileURLToPath(new URL("../../../packages/server/src/cli/main.ts", import.meta.url));
const timeLimitMs = 60_000;

export interface CliRun {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** Runs a command to its end, in an environment that holds nothing of ours but what is given. */
export async function runCli(args: readonly string[], { env = {}, input = "" }: CliOptions = {}): Promise<CliRun> {
  const child = spawn(process.execPath, ["--conditions=source", main, ...args], {
    env: { ...bareEnvironment(), ...env },
    timeout: timeLimitMs,
    killSignal: "SIGKILL",
  });
  // A command that does not read its input may be gone before it is written.
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  const [stdout, stderr, exitCode] = await Promise.all([
    readAll(child.stdout),
    readAll(child.stderr),
    new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", resolve);
    }),
  ]);
  return { exitCode, stdout, stderr };
}

async function readAll(stream: NodeJS.ReadableStream): Promise<string> {
  let text = "";
  for await (const chunk of stream) text += String(chunk);
  return text;
}
