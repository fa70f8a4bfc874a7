/** The service as its users run it: a process of its own, driven by its environment and by signals. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { bareEnvironment } from "../cli/bare-environment.ts";
import { programFile } from "../cli/program.ts";

const root = resolve(import.meta.dirname, "../../..");
const serve = [programFile, "serve"];
const startLimitMs = 90_000;
const stopLimitMs = 25_000;

export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Service extends AsyncDisposable {
  readonly pid: number;
  /** Where it says it listens; `sandbox.json` may name another node. */
  readonly baseUrl: string;
  /** From the start of the process to its being ready. */
  readonly startedWithinMs: number;
  readonly exited: Promise<Exit>;
  output(): string;
  signal(signal: NodeJS.Signals): void;
  /** Sends the signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<Exit>;
}

export interface ServiceOptions {
  readonly dataDir: string;
  readonly env?: Readonly<Record<string, string>>;
  /** `npm start`, or what it runs. */
  readonly by?: "npm" | "node";
  /** The file and its arguments that `node` runs, ours or of an installed package; absent: our own `serve`. */
  readonly script?: readonly string[];
  /** The Node that runs it; absent: this one. */
  readonly node?: string;
  /** Takes the lines that it prints until it is ready. */
  readonly onProgress?: (line: string) => void;
}

const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

/** Starts a node and waits until it is ready. */
export async function startService({
  dataDir,
  env = {},
  by = "node",
  script = serve,
  node = process.execPath,
  onProgress,
}: ServiceOptions): Promise<Service> {
  const startedAt = performance.now();
  const isInstalled = script[0] !== programFile && script[0]?.includes("node_modules");
  const conditions = isInstalled ? [] : ["--conditions=source"];
  const [program, ...args] = by === "npm" ? ["npm", "start"] : [node, ...conditions, ...script];
  const child = spawn(program, args, {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
    env: {
      ...bareEnvironment(),
      PORT: "0",
      TITIAN_DATA_DIR: dataDir,
      // As under npm: a node whose tests were killed ends itself.
      npm_lifecycle_event: "start",
      ...env,
    },
  });
  running.add(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
  let isReady = false;
  createInterface({ input: child.stdout }).on("line", (line) => {
    isReady ||= line.startsWith("Titian is ready");
    if (!isReady && line !== "") onProgress?.(line);
  });
  const exited = once(child, "exit").then(([code, signal]): Exit => ({ code, signal }));
  void exited.then(() => running.delete(child));

  const baseUrl = await findAddress(child, () => output);
  const end = async (signal: NodeJS.Signals): Promise<Exit> => {
    child.kill(signal);
    const overdue = setTimeout(() => child.kill("SIGKILL"), stopLimitMs);
    const exit = await exited;
    clearTimeout(overdue);
    return exit;
  };
  return {
    pid: child.pid ?? 0,
    baseUrl,
    startedWithinMs: performance.now() - startedAt,
    exited,
    output: () => output,
    signal: (signal) => void child.kill(signal),
    end,
    [Symbol.asyncDispose]: async () => void (await end("SIGTERM")),
  };
}

/** The address the node announces once it is ready. */
function findAddress(child: ChildProcess, output: () => string): Promise<string> {
  const { promise, resolve: found, reject } = Promise.withResolvers<string>();
  const look = () => {
    const address = /^ +Service +(http:\/\/[^/\s]+)/m.exec(output())?.[1];
    if (address !== undefined) found(address);
  };
  const fail = (why: string) => reject(new Error(`The service ${why}; it said:\n${output()}`));
  const limit = setTimeout(() => {
    child.kill("SIGKILL");
    fail(`was not ready within ${startLimitMs / 1_000} s`);
  }, startLimitMs);
  const ended = () => fail("ended before it was ready");
  child.stdout?.on("data", look);
  child.once("error", ended);
  child.once("exit", ended);
  return promise.finally(() => {
    clearTimeout(limit);
    child.stdout?.off("data", look);
    child.off("error", ended);
    child.off("exit", ended);
  });
}
