/** The real service as a process of its own, on a database of the run's cluster. */
import { type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { productionSettings } from "../../test/support/black-box/production-partner.ts";
import type { SandboxPartner } from "../../test/support/black-box/sandbox-file.ts";
import type { NodePeaks } from "../subject.ts";
import type { BenchPartner } from "./partner.ts";
import type { RailTerms, Ready } from "./serve-bench-rails.ts";
import { forkService } from "./service-process.ts";

export interface Service {
  readonly pid: number;
  readonly partner: BenchPartner;
  /** Of a service with rails of the benches: sets how fast they answer, and gives the peaks since the last time. */
  setRails(terms: RailTerms): Promise<NodePeaks>;
  stop(): Promise<void>;
}

export interface SandboxService extends Service {
  /** Of the sandbox's control API. */
  readonly controlToken: string;
}

/** The rails of a sandbox: those of the benches, or simulated ones, as `titian serve` has them. */
export type SandboxRails = "bench" | "simulated";

const benchRails = ["./serve-bench-rails.ts"] as const;
const scripts: Readonly<Record<SandboxRails, readonly [string, ...string[]]>> = {
  bench: benchRails,
  simulated: ["../../packages/cli/src/main.ts", "serve"],
};
const startWithinMs = 60_000;
const answerWithinMs = 10_000;

/** A node of a production service with rails of the benches, which no sandbox records. */
export async function startProductionService(databaseUrl: string, partner: SandboxPartner): Promise<Service> {
  const settings = { ...productionSettings(databaseUrl), TITIAN_SHUTDOWN_DELAY_SECONDS: "0" };
  const { started, ready } = await forkService(benchRails, settings, ({ child }) =>
    receive<Ready>(child, startWithinMs),
  );
  const { origin, hostname, port } = new URL(ready.baseUrl);
  return {
    pid: started.pid,
    partner: { ...partner, origin, host: hostname, port: Number(port), path: "/v1.0" },
    setRails: (terms) => setRails(started.child, terms),
    stop: started.stop,
  };
}

/** A sandbox, with its partners. `settings`: of the service, beside the usual ones. */
export async function startService(
  databaseUrl: string,
  rails: SandboxRails,
  settings: Readonly<Record<string, string>> = {},
): Promise<SandboxService> {
  const env = { DATABASE_URL: databaseUrl, TITIAN_SANDBOX: "1", ...settings };
  const { started, ready } = await forkService(scripts[rails], env, ({ dataDir, ended }) =>
    waitForSandbox(join(dataDir, "sandbox.json"), ended),
  );
  return {
    pid: started.pid,
    partner: toPartner(ready),
    controlToken: ready.controlToken,
    setRails: (terms) => setRails(started.child, terms),
    stop: started.stop,
  };
}

function setRails(child: ChildProcess, terms: RailTerms): Promise<NodePeaks> {
  const answer = receive<NodePeaks>(child, answerWithinMs);
  child.send(terms);
  return answer;
}

async function receive<Message>(child: ChildProcess, withinMs: number): Promise<Message> {
  // Both sides are this program.
  const [message] = (await once(child, "message", { signal: AbortSignal.timeout(withinMs) })) as [Message];
  return message;
}

/** The file is complete when the service is ready. */
async function waitForSandbox(path: string, ended: Promise<void>): Promise<Sandbox> {
  let hasEnded = false;
  void ended.then(() => (hasEnded = true));
  for (const startedAt = performance.now(); performance.now() - startedAt < startWithinMs; await sleep(50)) {
    if (hasEnded) break;
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
