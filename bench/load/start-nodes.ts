/** Nodes of the service in processes of their own, as `titian serve` runs them, with rails of the benches in them. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startProduction } from "../../test/support/black-box/start-production.ts";
import { type Forked, forkScript } from "../fork-script.ts";
import type { BenchPartner } from "./partner.ts";
import { capturesPerHoldMax } from "./place-holds.ts";
import type { NodeReport, NodeTerms } from "./serve-node.ts";
import type { SourceTree } from "./source-tree.ts";

export interface NodesOptions {
  /** `workers`: `titian serve` with so many, which has no rails of the benches. */
  readonly nodes?: { readonly count: number } | { readonly workers: number };
  /** True: it is a sandbox, which knows its partner 2 s after its start; otherwise as in production. */
  readonly isSandbox?: boolean;
  /** Settings of the nodes beside those of all. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface Nodes {
  readonly caller: BenchPartner;
  readonly ports: readonly number[];
  readonly pids: readonly number[];
  tell(terms: NodeTerms): Promise<NodeReport | undefined>;
  stop(): Promise<void>;
}

const usualEnv = { TITIAN_SHUTDOWN_DELAY_SECONDS: "0", TITIAN_HOLD_EVENTS_MAX: String(capturesPerHoldMax) };

/** Nodes of the service on a database, and a partner that it has with accounts of its own. */
export async function startNodes(
  url: string,
  { addPartner, productionSettings, nodeScript }: SourceTree,
  { nodes = { count: 1 }, isSandbox = false, env: more = {} }: NodesOptions,
): Promise<Nodes> {
  if ("workers" in nodes) return startWorkers(url, nodes.workers);
  // The first entry says what the database belongs to: a partner to production.
  const first = isSandbox ? undefined : await addPartner(url);
  const dataDir = mkdtempSync(join(tmpdir(), "titian-bench-"));
  const env = {
    ...productionSettings(url),
    ...usualEnv,
    TITIAN_SANDBOX: isSandbox ? "1" : "0",
    TITIAN_DATA_DIR: dataDir,
    PORT: "0",
    ...more,
  };
  const started: Forked<string>[] = [];
  while (started.length < nodes.count) started.push(await forkScript<string>(nodeScript, { env }));
  const urls = started.map(({ ready }) => new URL(ready));
  const partner = first ?? (await addPartner(url));
  return {
    caller: { ...partner, ...addressOf(urls[0]) },
    ports: urls.map(({ port }) => Number(port)),
    pids: started.map(({ pid }) => pid),
    tell: async (terms) => (await Promise.all(started.map(({ ask }) => ask<NodeReport>(terms))))[0],
    stop: async () => {
      for (const { close } of started) await close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function startWorkers(url: string, count: number): Promise<Nodes> {
  const { service, caller, close } = await startProduction({ ...usualEnv, TITIAN_WORKERS: String(count) }, url);
  const address = addressOf(new URL(service.baseUrl));
  return {
    caller: { ...caller.partner, ...address },
    ports: [address.port],
    pids: [service.pid],
    tell: () => Promise.resolve(undefined),
    stop: close,
  };
}

/** @throws when there is none. */
function addressOf(url: URL | undefined): Pick<BenchPartner, "origin" | "host" | "port" | "path"> {
  if (url === undefined) throw new Error("No node was started.");
  return { origin: url.origin, host: url.hostname, port: Number(url.port), path: "/v1.0" };
}
