/**
 * The subjects without HTTP: the engine on PostgreSQL, the naive path on the same tables, the handlers of transfers, and
 * handler and engine without a database.
 */
import type { Cluster } from "../database/cluster.ts";
import { createLedgerDatabase, dropDatabase, vacuum } from "../database/databases.ts";
import { openAccounts } from "../database/open-accounts.ts";
import { newId } from "../../packages/server/src/basics/ids.ts";
import { commandLoads, type Load, railLoads, type Subject, transferLoads } from "../subject.ts";
import { accountNumbers } from "../transfers/pick-accounts.ts";
import { startWorker } from "../workers/start-worker.ts";
import type { LedgerSettings } from "../workers/command-windows.ts";
import { auditDatabase } from "./audit-database.ts";
import { checkSettled } from "./check-settled.ts";
import { createAnswerCheck } from "./check-answers.ts";
import { runWindow } from "./run-window.ts";

const scripts = {
  ledger: new URL("../workers/ledger-worker.ts", import.meta.url),
  naive: new URL("../workers/naive-worker.ts", import.meta.url),
  handler: new URL("../workers/handler-worker.ts", import.meta.url),
  engine: new URL("../workers/engine-worker.ts", import.meta.url),
} as const;

const loads: Readonly<Record<keyof typeof scripts, readonly Load[]>> = {
  ledger: commandLoads,
  naive: transferLoads,
  handler: [...transferLoads, ...railLoads],
  engine: ["uniform"],
};

export interface InProcessOptions {
  readonly name: keyof typeof scripts;
  readonly cluster: Cluster;
  readonly accounts: number;
  readonly onProgress: (text: string) => void;
}

export async function createInProcess({ name, cluster, accounts, onProgress }: InProcessOptions): Promise<Subject> {
  const database = `bench_${name}`;
  const url = await createLedgerDatabase(cluster.url, database);
  const settings: LedgerSettings = { url, partner: newId(), accountNumbers: accountNumbers(accounts) };
  await openAccounts(settings);
  await vacuum(url);
  const answers = await createAnswerCheck(name, url);
  const worker = await startWorker(scripts[name], settings);
  return {
    name,
    loads: loads[name],
    async run(window) {
      const measured = await runWindow(worker, { cluster }, window);
      // The engine alone writes to no database.
      if (name !== "engine") answers.add(measured.done);
      return measured;
    },
    async check() {
      await answers.check();
      await checkSettled(name, url);
    },
    async close() {
      await worker.close();
      await auditDatabase(name, url, onProgress);
      await dropDatabase(cluster.url, database);
    },
  };
}
