/** The real service as a process of its own, on a database of the run's cluster, with the sandbox's partners. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { capturesPerHoldMax } from "../command-terms.ts";
import type { NodePeaks } from "../subject.ts";
import type { BenchPartner } from "./partner.ts";
import type { RailTerms } from "./serve-bench-rails.ts";

export interface Service {
  readonly pid: number;
  readonly partner: BenchPartner;
  /** Of the sandbox's control API. */
  readonly controlToken: string;
  /** Of a service with rails of the benches: sets how fast they answer, and gives the peaks since the last time. */
  setRails(terms: RailTerms): Promise<NodePeaks>;
  stop(): Promise<void>;
}

/** The rails it has: those of the benches, or the sandbox's simulated ones, as `titian serve` has them. */
export type ServiceRails = "bench" | "simulated";

const scripts: Readonly<Record<ServiceRails, readonly [string, ...string[]]>> = {
  bench: ["./serve-bench-rails.ts"],
  simulated: ["../../packages/cli/src/main.ts", "serve"],
};
const exitWithParent = new URL("./exit-with-parent.ts", import.meta.url).href;
const startWithinMs = 60_000;
const stopWithinMs = 25_000;
const answerWithinMs = 10_000;
const keptMessages = 4_000;

/** `settings`: of the service, beside the usual ones. */
export async function startService(
  databaseUrl: string,
  rails: ServiceRails,
  settings: Readonly<Record<string, string>> = {},
): Promise<Service> {
  const dataDir = mkdtempSync(join(tmpdir(), "titian-bench-"));
  const [script, ...args] = scripts[rails];
  const child = fork(fileURLToPath(new URL(script, import.meta.url)), args, {
    execArgv: ["--conditions=source", "--expose-gc", "--import", exitWithParent],
    env: {
      ...process.env,
      DATABASE_URL: databaseUrl,
      TITIAN_SANDBOX: "1",
      TITIAN_DATA_DIR: dataDir,
      TITIAN_HOLD_EVENTS_MAX: String(capturesPerHoldMax),
      PORT: "0",
      ...settings,
    },
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  let messages = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    messages = (messages + text).slice(-keptMessages);
  });
  let hasEnded = false;
  const ended = new Promise<void>((resolve) =>
    child.once("exit", () => {
      hasEnded = true;
      resolve();
    }),
  );
  const stop = async () => {
    child.kill("SIGTERM");
    const killer = setTimeout(() => child.kill("SIGKILL"), stopWithinMs);
    await ended;
    clearTimeout(killer);
    rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const sandbox = await waitForSandbox(join(dataDir, "sandbox.json"), () => hasEnded);
    const [partner, { controlToken }] = [toPartner(sandbox), sandbox];
    if (child.pid === undefined) throw new Error("The service could not be started.");
    return { pid: child.pid, partner, controlToken, setRails: (terms) => setRails(child, terms), stop };
  } catch (error) {
    await stop();
    throw new Error(`The service did not start. It said:\n${messages}`, { cause: error });
  }
}

async function setRails(child: ChildProcess, terms: RailTerms): Promise<NodePeaks> {
  const answer = once(child, "message", { signal: AbortSignal.timeout(answerWithinMs) });
  child.send(terms);
  // Both sides are this program.
  const [peaks] = (await answer) as [NodePeaks];
  return peaks;
}

/** The file is complete when the service is ready. */
async function waitForSandbox(path: string, hasEnded: () => boolean): Promise<Sandbox> {
  for (const startedAt = performance.now(); performance.now() - startedAt < startWithinMs; await sleep(50)) {
    if (hasEnded()) throw new Error("It ended.");
    const sandbox = readSandbox(path);
    if (sandbox !== undefined) return sandbox;
  }
  throw new Error(`It was not ready within ${startWithinMs / 1_000} s.`);
}

/** What the benches need of `sandbox.json`. */
interface Sandbox {
  readonly baseUrl: string;
  readonly controlToken: string;
  readonly pathPrefix: string;
  readonly version: string;
  readonly partners: readonly (Omit<BenchPartner, "origin" | "host" | "port" | "path"> & {
    readonly signing: string;
  })[];
}

function readSandbox(path: string): Sandbox | undefined {
  try {
    // Our own file, in the layout the sandbox documents.
    return JSON.parse(readFileSync(path, "utf8")) as Sandbox;
  } catch {
    return undefined;
  }
}

function toPartner({ baseUrl, pathPrefix, version, partners }: Sandbox): BenchPartner {
  const partner = partners.find(({ signing }) => signing === "symmetric");
  if (partner === undefined) throw new Error("The sandbox has no partner that signs with a client secret.");
  const { origin, hostname, port } = new URL(baseUrl);
  return { ...partner, origin, host: hostname, port: Number(port), path: `${pathPrefix}/${version}` };
}
