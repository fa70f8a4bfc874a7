/** Runs command lines one after the other in one process: loading the command's modules costs more than most commands. */
import { Readable } from "node:stream";
import type { RanAsTyped } from "./run-cli.ts";

export interface CliLine {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly input: string;
  /** Absent: that of the tests. */
  readonly cwd?: string;
}

const main = new URL("../../../packages/cli/src/", import.meta.url);
const { run }: { run(): Promise<never> } = await import(new URL("run.ts", main).href);

class Exit extends Error {
  readonly code: number;
  constructor(code: number) {
    super(`exit ${code}`);
    this.code = code;
  }
}

process.exit = (code) => {
  throw new Exit(Number(code));
};

const home = process.cwd();

async function runLine({ args, env, input, cwd = home }: CliLine): Promise<RanAsTyped> {
  const printed = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    process[name].write = (text: string | Uint8Array) => {
      printed[name] += String(text);
      return true;
    };
  }
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  process.argv.splice(2, Infinity, ...args);
  Object.defineProperty(process, "stdin", { value: Readable.from([input]), configurable: true });
  const exitCode = await run().catch((error: unknown) => {
    if (error instanceof Exit) return error.code;
    throw error;
  });
  return { exitCode, ...printed };
}

process.on("message", (line: CliLine) => void runLine(line).then((ran) => process.send?.(ran)));
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
