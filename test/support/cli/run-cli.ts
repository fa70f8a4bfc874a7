/** The `titian` command as its users run it. */
import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { bareEnvironment } from "./bare-environment.ts";
import { programFile } from "./program.ts";
import { hereafter } from "../shared.ts";
import type { CliLine } from "./cli-host.ts";

const host = fileURLToPath(new URL("cli-host.ts", import.meta.url));
const timeLimitMs = 60_000;

export interface CliRun {
  readonly exitCode: number | null;
  readonly stdout: string;
  /** Commands in it are without the data directory that they are typed with. */
  readonly stderr: string;
  readonly stderrAsTyped: string;
}

/** The result as the process wrote it. */
export type RanAsTyped = Omit<CliRun, "stderrAsTyped">;

export type CliOptions = Partial<Pick<CliLine, "env" | "input" | "cwd">>;

let running: Promise<unknown> = Promise.resolve();
let hosting: ChildProcess | undefined;

/** Runs a command to its end, in an environment that holds nothing of ours but what is given; one at a time. */
export function runCli(args: readonly string[], { env = {}, input = "", cwd }: CliOptions = {}): Promise<CliRun> {
  const run = running.then(() =>
    runInHost({ args, env: { ...bareEnvironment(), ...env }, input, ...(cwd !== undefined && { cwd }) }),
  );
  running = run.catch(() => undefined);
  return hereafter(run.then((ran) => withoutDataDir(ran, env)));
}

/** Hints name the data directory: one test asserts it (`a hint names the data directory`), the others read hints without it. */
function withoutDataDir(ran: RanAsTyped, { TITIAN_DATA_DIR: dataDir = "" }: Readonly<Record<string, string>>): CliRun {
  const stderr = dataDir === "" ? ran.stderr : ran.stderr.replaceAll(`TITIAN_DATA_DIR=${dataDir} `, "");
  return { ...ran, stderr, stderrAsTyped: ran.stderr };
}

async function runInHost(line: CliLine): Promise<RanAsTyped> {
  hosting ??= fork(host, { execArgv: ["--conditions=source"], env: bareEnvironment() });
  const child = hosting;
  child.ref();
  child.channel?.ref();
  const over = new AbortController();
  const limit = setTimeout(() => over.abort(), timeLimitMs);
  try {
    const ended = once(child, "exit", { signal: over.signal }).then(([code]) => {
      throw new Error(`titian ${line.args.join(" ")}: its process ended with ${String(code)}`);
    });
    const answered = once(child, "message", { signal: over.signal });
    child.send(line);
    const [ran] = await Promise.race([answered, ended]);
    return ran;
  } catch (error) {
    child.kill("SIGKILL");
    hosting = undefined;
    throw error;
  } finally {
    clearTimeout(limit);
    over.abort();
    // It ends with the test file.
    child.unref();
    child.channel?.unref();
  }
}

interface SpawnOptions extends CliOptions {
  /** Ctrl-C as soon as standard error has this. */
  readonly interruptAt?: string;
  /** Gets all of standard error so far, each time it grows. */
  readonly onStderr?: (text: string) => void;
}

/** The same in a process of its own. */
export async function spawnCli(args: readonly string[], options: SpawnOptions = {}): Promise<CliRun> {
  const { env = {}, input = "", interruptAt, onStderr } = options;
  const child = spawn(process.execPath, ["--conditions=source", programFile, ...args], {
    env: { ...bareEnvironment(), ...env },
    timeout: timeLimitMs,
    killSignal: "SIGKILL",
  });
  // A command that does not read its input may be gone before it is written.
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  let isInterrupted = interruptAt === undefined;
  const interrupt = (text: string) => {
    onStderr?.(text);
    if (isInterrupted || !text.includes(interruptAt ?? "")) return;
    isInterrupted = true;
    child.kill("SIGINT");
  };
  const [stdout, stderr, exitCode] = await Promise.all([
    readAll(child.stdout),
    readAll(child.stderr, interrupt),
    new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", resolve);
    }),
  ]);
  return withoutDataDir({ exitCode, stdout, stderr }, env);
}

async function readAll(stream: NodeJS.ReadableStream, onText: (text: string) => void = () => undefined) {
  let text = "";
  for await (const chunk of stream) {
    text += String(chunk);
    onText(text);
  }
  return text;
}
