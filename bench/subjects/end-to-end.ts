/** Signed transfers and captures over HTTP against the real service, each answered after its durable commit. */
import type { Cluster } from "../database/cluster.ts";
import { createLedgerDatabase, dropDatabase, query, vacuum } from "../database/databases.ts";
import { openAccounts } from "../database/open-accounts.ts";
import { startService } from "../load/start-service.ts";
import { commandLoads, type Subject } from "../subject.ts";
import { accountNumbers } from "../transfers/pick-accounts.ts";
import type { LoadSettings } from "../workers/load-worker.ts";
import { startWorker } from "../workers/start-worker.ts";
import { auditDatabase } from "./audit-database.ts";
import { createAnswerCheck } from "./check-answers.ts";
import { runWindow } from "./run-window.ts";

const database = "bench_e2e";
const loadScript = new URL("../workers/load-worker.ts", import.meta.url);

export async function createEndToEnd(cluster: Cluster, accounts: number): Promise<Subject> {
  const url = await createLedgerDatabase(cluster.url, database);
  const service = await startService(url);
  const numbers = accountNumbers(accounts);
  const partner = await findPartnerKey(url, service.partner.partnerId);
  await openAccounts({ url, partner, accountNumbers: numbers });
  await vacuum(url);
  const answers = await createAnswerCheck("e2e", url);
  const settings: LoadSettings = { caller: service.partner, ledger: { url, partner, accountNumbers: numbers } };
  const worker = await startWorker(loadScript, settings);
  return {
    name: "e2e",
    loads: commandLoads,
    hasOwnCallers: false,
    async run(window) {
      const measured = await runWindow(worker, { cluster, service: service.pid }, window);
      answers.add(measured.done);
      return measured;
    },
    check: () => answers.check(),
    async close() {
      await worker.close();
      await service.stop();
      await auditDatabase("e2e", url);
      await dropDatabase(cluster.url, database);
    },
  };
}

/** Accounts name the partners that may debit them by their internal id. */
async function findPartnerKey(url: string, partnerId: string): Promise<string> {
  const rows = await query(url, "select id, partner_id from partners");
  const found = rows.find((row) => row["partner_id"] === partnerId);
  if (found === undefined) throw new Error(`The sandbox's partner ${partnerId} is not in its database.`);
  return String(found["id"]);
}
