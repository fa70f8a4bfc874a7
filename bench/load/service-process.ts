/** A process that serves: forked from the benches, and ended in order, at the latest with them. */
import { type ChildProcess, fork } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { capturesPerHoldMax } from "../command-terms.ts";

export interface ServiceProcess {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly dataDir: string;
  /** Resolves when the process has ended, by itself or not. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

const exitWithParent = new URL("./exit-with-parent.ts", import.meta.url).href;
const stopWithinMs = 25_000;
const keptMessages = 4_000;

/**
 * Forks a script of ours and waits until it serves.
 * @throws with what it said when `ready` fails or the process ends before.
 */
export async function forkService<Ready>(
  [script, ...args]: readonly [string, ...string[]],
  env: Readonly<Record<string, string>>,
  ready: (started: ServiceProcess) => Promise<Ready>,
): Promise<{ readonly started: ServiceProcess; readonly ready: Ready }> {
  const dataDir = mkdtempSync(join(tmpdir(), "titian-bench-"));
  const child = fork(fileURLToPath(new URL(script, import.meta.url)), args, {
    execArgv: ["--conditions=source", "--expose-gc", "--import", exitWithParent],
    env: {
      ...process.env,
      TITIAN_DATA_DIR: dataDir,
      TITIAN_HOLD_EVENTS_MAX: String(capturesPerHoldMax),
      PORT: "0",
      ...env,
    },
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  let messages = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    messages = (messages + text).slice(-keptMessages);
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const stop = async () => {
    child.kill("SIGTERM");
    const killer = setTimeout(() => child.kill("SIGKILL"), stopWithinMs);
    await ended;
    clearTimeout(killer);
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    if (child.pid === undefined) throw new Error("It could not be started.");
    const started = { child, pid: child.pid, dataDir, ended, stop };
    const endedBefore = ended.then((): never => {
      throw new Error("It ended.");
    });
    return { started, ready: await Promise.race([ready(started), endedBefore]) };
  } catch (error) {
    await stop();
    throw new Error(`The service did not start. It said:\n${messages}`, { cause: error });
  }
}
