/** What stands in front of the ledger, without it, called by the same signed requests as the whole service. */
import type { Cluster } from "../database/cluster.ts";
import { forkScript } from "../fork-script.ts";
import type { BenchPartner } from "../load/partner.ts";
import type { Subject } from "../subject.ts";
import { accountNumbers } from "../transfers/pick-accounts.ts";
import { type LoadSettings, loadScript } from "../workers/load-settings.ts";
import { startWorker } from "../workers/start-worker.ts";
import { runWindow } from "./run-window.ts";

export interface HttpServerOptions<Name> {
  readonly name: Name;
  readonly cluster: Cluster;
  readonly accounts: number;
}

const layers = {
  floor: new URL("../layers/serve-floor.ts", import.meta.url),
  edge: new URL("../layers/serve-edge.ts", import.meta.url),
} as const;

export async function createHttpLayer(options: HttpServerOptions<keyof typeof layers>): Promise<Subject> {
  const { run, close } = await startServer(options, layers[options.name]);
  return { name: options.name, loads: ["uniform"], run, check: () => Promise.resolve(), close };
}

/** A server that sends its `BenchPartner` once it listens, and its load generator. */
async function startServer(
  { cluster, accounts }: HttpServerOptions<string>,
  script: URL,
): Promise<Pick<Subject, "run" | "close">> {
  const server = await forkScript<BenchPartner>(script);
  const settings = { caller: server.ready, accountNumbers: accountNumbers(accounts), url: cluster.url };
  const worker = await startWorker<LoadSettings>(loadScript, settings);
  return {
    run: (window) => runWindow(worker, { cluster, services: [server.pid] }, window),
    close: async () => {
      await worker.close();
      await server.close();
    },
  };
}
