/** What stands in front of the ledger, without it: called by the same signed requests as the whole service. */
import type { Cluster } from "../database/cluster.ts";
import { type LayerName, startLayer } from "../layers/start-layer.ts";
import type { Subject } from "../subject.ts";
import { accountNumbers } from "../transfers/pick-accounts.ts";
import { type LoadSettings, loadScript } from "../workers/load-settings.ts";
import { startWorker } from "../workers/start-worker.ts";
import { runWindow } from "./run-window.ts";

export interface HttpLayerOptions {
  readonly name: LayerName;
  readonly cluster: Cluster;
  readonly accounts: number;
}

export async function createHttpLayer({ name, cluster, accounts }: HttpLayerOptions): Promise<Subject> {
  const layer = await startLayer(name);
  const { caller } = layer;
  const settings: LoadSettings = {
    caller,
    ledger: { url: cluster.url, partner: caller.partnerId, accountNumbers: accountNumbers(accounts) },
  };
  const worker = await startWorker(loadScript, settings);
  return {
    name,
    loads: ["uniform"],
    run: (window) => runWindow(worker, { cluster, services: [layer.pid] }, window),
    check: () => Promise.resolve(),
    async close() {
      await worker.close();
      await layer.close();
    },
  };
}
