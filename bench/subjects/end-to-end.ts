/**
 * Signed transfers and captures over HTTP against the real service, each answered after its durable commit. Rails of the
 * benches are in the service's process; under the name of the sandbox, the rails it simulates.
 */
import type { Cluster } from "../database/cluster.ts";
import { createLedgerDatabase, dropDatabase, vacuum } from "../database/databases.ts";
import { findPartnerKey, openAccounts } from "../database/open-accounts.ts";
import { startService } from "../load/start-service.ts";
import { commandLoads, type Load, railAnswerMs, railLoads, sandboxLoads, type Subject } from "../subject.ts";
import { accountNumbers } from "../transfers/pick-accounts.ts";
import { type LoadSettings, loadScript } from "../workers/load-settings.ts";
import { startWorker } from "../workers/start-worker.ts";
import { auditDatabase } from "./audit-database.ts";
import { createAnswerCheck } from "./check-answers.ts";
import { checkSettled } from "./check-settled.ts";
import { runWindow } from "./run-window.ts";

export interface EndToEndOptions {
  readonly name: "e2e" | "sandbox";
  readonly cluster: Cluster;
  readonly accounts: number;
}

const loads: Readonly<Record<EndToEndOptions["name"], readonly Load[]>> = {
  e2e: [...commandLoads, ...railLoads],
  sandbox: sandboxLoads,
};

export async function createEndToEnd({ name, cluster, accounts }: EndToEndOptions): Promise<Subject> {
  const database = `bench_${name}`;
  const hasBenchRails = name === "e2e";
  const url = await createLedgerDatabase(cluster.url, database);
  const service = await startService(url, hasBenchRails ? "bench" : "simulated");
  const numbers = accountNumbers(accounts);
  const partner = await findPartnerKey(url, service.partner.partnerId);
  await openAccounts({ url, partner, accountNumbers: numbers });
  await vacuum(url);
  const answers = await createAnswerCheck(name, url);
  const settings: LoadSettings = { caller: service.partner, ledger: { url, partner, accountNumbers: numbers } };
  const worker = await startWorker(loadScript, settings);
  return {
    name,
    loads: loads[name],
    async run(window) {
      const terms = { answerMs: railAnswerMs(window.load) };
      if (hasBenchRails) await service.setRails(terms);
      const measured = await runWindow(worker, { cluster, service: service.pid }, window);
      answers.add(measured.done);
      return hasBenchRails ? { ...measured, peaks: await service.setRails(terms) } : measured;
    },
    async check() {
      await answers.check();
      await checkSettled(name, url);
    },
    async close() {
      await worker.close();
      await service.stop();
      await auditDatabase(name, url);
      await dropDatabase(cluster.url, database);
    },
  };
}
