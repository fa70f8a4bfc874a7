/**
 * Signed transfers and captures over HTTP against the real service, on one node or two, each answered after its durable
 * commit. The service runs as in production, with rails of the benches in its process; under the name of the sandbox, as
 * a sandbox, which records calls, with the rails it simulates.
 */
import { addPartner } from "../../test/support/black-box/production-partner.ts";
import type { Cluster } from "../database/cluster.ts";
import { createLedgerDatabase, dropDatabase, vacuum } from "../database/databases.ts";
import { findPartnerKey, openAccounts } from "../database/open-accounts.ts";
import { type Service, startProductionService, startService } from "../load/start-service.ts";
import {
  commandLoads,
  type Load,
  railAnswerMs,
  railLoads,
  sandboxLoads,
  type Subject,
  transferLoads,
} from "../subject.ts";
import { accountNumbers } from "../transfers/pick-accounts.ts";
import { type LoadSettings, loadScript } from "../workers/load-settings.ts";
import { startWorker } from "../workers/start-worker.ts";
import { auditDatabase } from "./audit-database.ts";
import { createAnswerCheck } from "./check-answers.ts";
import { checkSettled } from "./check-settled.ts";
import { runWindow } from "./run-window.ts";

export interface EndToEndOptions {
  /** `e2e2`: two nodes on one database, each with half of the callers. */
  readonly name: "e2e" | "e2e2" | "sandbox";
  readonly cluster: Cluster;
  readonly accounts: number;
  readonly onProgress: (text: string) => void;
}

const loads: Readonly<Record<EndToEndOptions["name"], readonly Load[]>> = {
  e2e: [...commandLoads, ...railLoads],
  e2e2: [...transferLoads, ...railLoads],
  sandbox: sandboxLoads,
};

export async function createEndToEnd({ name, cluster, accounts, onProgress }: EndToEndOptions): Promise<Subject> {
  const database = `bench_${name}`;
  const url = await createLedgerDatabase(cluster.url, database);
  const start = name === "sandbox" ? () => startService(url, "simulated") : await inProduction(url);
  const service = await start();
  const others = name === "e2e2" ? [await start()] : [];
  const nodes = [service, ...others];
  const numbers = accountNumbers(accounts);
  const partner = await findPartnerKey(url, service.partner.partnerId);
  await openAccounts({ url, partner, accountNumbers: numbers });
  await vacuum(url);
  const answers = await createAnswerCheck(name, url);
  const ports = nodes.map((node) => node.partner.port);
  const settings: LoadSettings = { caller: service.partner, ports, ledger: { url, partner, accountNumbers: numbers } };
  const worker = await startWorker(loadScript, settings);
  return {
    name,
    loads: loads[name],
    async run(window) {
      const setRails = async () => {
        const terms = { answerMs: railAnswerMs(window.load) };
        const [peaks] = await Promise.all(nodes.map((node) => node.setRails(terms)));
        return peaks;
      };
      const hasBenchRails = name !== "sandbox";
      if (hasBenchRails) await setRails();
      const measured = await runWindow(worker, { cluster, services: nodes.map(({ pid }) => pid) }, window);
      answers.add(measured.done);
      const peaks = hasBenchRails ? await setRails() : undefined;
      // Of two nodes, each has its own.
      return peaks && nodes.length === 1 ? { ...measured, peaks } : measured;
    },
    async check() {
      await answers.check();
      await checkSettled(name, url);
    },
    async close() {
      await worker.close();
      for (const node of nodes) await node.stop();
      await auditDatabase(name, url, onProgress);
      await dropDatabase(cluster.url, database);
    },
  };
}

/** Starts nodes with one partner. */
async function inProduction(url: string): Promise<() => Promise<Service>> {
  const partner = await addPartner(url);
  return () => startProductionService(url, partner);
}
