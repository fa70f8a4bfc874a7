/** End to end as production runs it, by a node of one process or of two workers: only they are compared with each other. */
import { startProduction } from "../../test/support/black-box/start-production.ts";
import type { Cluster } from "../database/cluster.ts";
import { createLedgerDatabase, dropDatabase, vacuum } from "../database/databases.ts";
import { findPartnerKey, openAccounts } from "../database/open-accounts.ts";
import { type Subject, transferLoads } from "../subject.ts";
import { accountNumbers } from "../transfers/pick-accounts.ts";
import { type LoadSettings, loadScript } from "../workers/load-settings.ts";
import { startWorker } from "../workers/start-worker.ts";
import { auditDatabase } from "./audit-database.ts";
import { createAnswerCheck } from "./check-answers.ts";
import { runWindow } from "./run-window.ts";

const counts = { oneWorker: 1, twoWorkers: 2 } as const;

export interface WorkersOptions {
  readonly name: keyof typeof counts;
  readonly cluster: Cluster;
  readonly accounts: number;
  readonly onProgress: (text: string) => void;
}

export async function createWorkers({ name, cluster, accounts, onProgress }: WorkersOptions): Promise<Subject> {
  const database = `bench_${name.toLowerCase()}`;
  const url = await createLedgerDatabase(cluster.url, database);
  const settings = { TITIAN_WORKERS: String(counts[name]), TITIAN_SHUTDOWN_DELAY_SECONDS: "0" };
  const { service, caller, close } = await startProduction(settings, url);
  const numbers = accountNumbers(accounts);
  const partner = await findPartnerKey(url, caller.partner.partnerId);
  await openAccounts({ url, partner, accountNumbers: numbers });
  await vacuum(url);
  const answers = await createAnswerCheck(name, url);
  const { origin, hostname, port } = new URL(service.baseUrl);
  const ledger = { url, partner, accountNumbers: numbers };
  const load: LoadSettings = {
    caller: { ...caller.partner, origin, host: hostname, port: Number(port), path: "/v1.0" },
    ledger,
  };
  const worker = await startWorker(loadScript, load);
  return {
    name,
    loads: transferLoads,
    async run(window) {
      const measured = await runWindow(worker, { cluster, services: [service.pid] }, window);
      answers.add(measured.done);
      return measured;
    },
    check: () => answers.check(),
    async close() {
      await worker.close();
      await close();
      await auditDatabase(name, url, onProgress);
      await dropDatabase(cluster.url, database);
    },
  };
}
