/** The subjects without HTTP: the handler of transfers with the engine, on PostgreSQL or without a database. */
import type { Cluster } from "../database/cluster.ts";
import { countAccepted, createLedgerDatabase, dropDatabase, vacuum } from "../database/databases.ts";
import { openAccounts } from "../database/open-accounts.ts";
import { newId } from "../../packages/server/src/basics/ids.ts";
import { type Subject, transferLoads } from "../subject.ts";
import { accountNumbers } from "../transfers/pick-accounts.ts";
import type { HandlerSettings } from "../workers/handler-worker.ts";
import { startWorker } from "../workers/start-worker.ts";
import { auditDatabase } from "./audit-database.ts";
import { runWindow } from "./run-window.ts";

export interface InProcessOptions {
  /** `engine`: without a database. */
  readonly name: "handler" | "engine";
  readonly cluster: Cluster;
  readonly accounts: number;
  readonly onProgress: (text: string) => void;
}

const script = new URL("../workers/handler-worker.ts", import.meta.url);

export async function createInProcess({ name, cluster, accounts, onProgress }: InProcessOptions): Promise<Subject> {
  const database = `bench_${name}`;
  const isInMemory = name === "engine";
  const url = await createLedgerDatabase(cluster.url, database);
  const settings: HandlerSettings = { url, partner: newId(), accountNumbers: accountNumbers(accounts), isInMemory };
  await openAccounts(settings);
  await vacuum(url);
  let answered = await countAccepted(url);
  const worker = await startWorker(script, settings);
  return {
    name,
    loads: isInMemory ? ["uniform"] : transferLoads,
    async run(window) {
      const measured = await runWindow(worker, { cluster }, window);
      answered += isInMemory ? 0 : measured.done;
      return measured;
    },
    async check() {
      const rows = await countAccepted(url);
      if (rows !== answered) throw new Error(`${name}: ${answered} calls were answered, ${rows} are in the database.`);
    },
    async close() {
      await worker.close();
      await auditDatabase(name, url, onProgress);
      await dropDatabase(cluster.url, database);
    },
  };
}
