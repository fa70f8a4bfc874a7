/**
 * Signed transfers and captures over HTTP against the real service, on one node or two, each answered after its durable
 * commit. Rails of the benches are in the service's process; under the name of the sandbox, the rails it simulates.
 */
import { randomBytes } from "node:crypto";
import type { Cluster } from "../database/cluster.ts";
import { createLedgerDatabase, dropDatabase, vacuum } from "../database/databases.ts";
import { findPartnerKey, openAccounts } from "../database/open-accounts.ts";
import { startService } from "../load/start-service.ts";
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
}

const loads: Readonly<Record<EndToEndOptions["name"], readonly Load[]>> = {
  e2e: [...commandLoads, ...railLoads],
  e2e2: transferLoads,
  sandbox: sandboxLoads,
};

export async function createEndToEnd({ name, cluster, accounts }: EndToEndOptions): Promise<Subject> {
  const database = `bench_${name}`;
  const hasBenchRails = name === "e2e";
  const url = await createLedgerDatabase(cluster.url, database);
  const secrets = { TITIAN_MASTER_KEY: randomBytes(32).toString("base64") };
  const start = () => startService(url, name === "sandbox" ? "simulated" : "bench", secrets);
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
      const terms = { answerMs: railAnswerMs(window.load) };
      if (hasBenchRails) await service.setRails(terms);
      const measured = await runWindow(worker, { cluster, services: nodes.map(({ pid }) => pid) }, window);
      answers.add(measured.done);
      return hasBenchRails ? { ...measured, peaks: await service.setRails(terms) } : measured;
    },
    async check() {
      await answers.check();
      await checkSettled(name, url);
    },
    async close() {
      await worker.close();
      for (const node of nodes) await node.stop();
      await auditDatabase(name, url);
      await dropDatabase(cluster.url, database);
    },
  };
}
