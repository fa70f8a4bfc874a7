/** The service on a database of its own with customer accounts, and the load generator that calls it. */
import type { Cluster } from "../database/cluster.ts";
import { createLedgerDatabase, dropDatabase, vacuum } from "../database/databases.ts";
import { findPartnerKey, openAccounts } from "../database/open-accounts.ts";
import type { Measured, Window } from "../subject.ts";
import { auditDatabase } from "../subjects/audit-database.ts";
import { runWindow } from "../subjects/run-window.ts";
import { accountNumbers } from "../transfers/pick-accounts.ts";
import type { LedgerSettings } from "../workers/command-windows.ts";
import { type LoadSettings, loadScript } from "../workers/load-settings.ts";
import { startWorker } from "../workers/start-worker.ts";
import { type Service, startService } from "./start-service.ts";

export interface LoadedServiceOptions {
  readonly cluster: Cluster;
  readonly database: string;
  readonly accounts: number;
  /** Adds to the database, before it is vacuumed. */
  readonly fill?: (ledger: LedgerSettings) => Promise<void>;
}

export interface LoadedService extends AsyncDisposable {
  readonly url: string;
  readonly service: Service;
  /** `onPrepared` runs directly before the measured time. */
  run(window: Window, onPrepared?: () => Promise<void>): Promise<Measured>;
}

/** At its end the database is audited and dropped. */
export async function startLoadedService(options: LoadedServiceOptions): Promise<LoadedService> {
  const { cluster, database, fill } = options;
  await using stack = new AsyncDisposableStack();
  const url = await createLedgerDatabase(cluster.url, database);
  stack.defer(() => dropDatabase(cluster.url, database));
  const service = await startService(url, "bench");
  stack.defer(() => auditDatabase(database, url));
  stack.defer(() => service.stop());
  const partner = await findPartnerKey(url, service.partner.partnerId);
  const ledger = { url, partner, accountNumbers: accountNumbers(options.accounts) };
  await openAccounts(ledger);
  await fill?.(ledger);
  await vacuum(url);
  const settings: LoadSettings = { caller: service.partner, ledger };
  const worker = await startWorker(loadScript, settings);
  stack.defer(() => worker.close());
  const started = stack.move();
  return {
    url,
    service,
    run: (window, onPrepared) => runWindow(worker, { cluster, services: [service.pid] }, window, onPrepared),
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}
