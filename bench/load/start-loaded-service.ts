/** The real service with funded accounts, and a worker whose callers make calls on them. */
import { vacuum } from "../database/databases.ts";
import { findPartnerKey, openAccounts } from "../database/open-accounts.ts";
import { accountNumbers } from "../transfers/pick-accounts.ts";
import type { LedgerSettings } from "../workers/command-windows.ts";
import { type LoadSettings, loadScript } from "../workers/load-settings.ts";
import { startWorker, type Worker } from "../workers/start-worker.ts";
import { type SandboxRails, type SandboxService, startService } from "./start-service.ts";

/** Disposing stops the callers, then the service. */
export interface LoadedService extends AsyncDisposable {
  readonly service: SandboxService;
  readonly worker: Worker;
  /** Account numbers. */
  readonly payers: readonly string[];
}

export interface LoadedServiceOptions {
  /** Of a migrated database. */
  readonly url: string;
  readonly accounts: number;
  readonly rails: SandboxRails;
  /** Settings of the service, beside the usual ones. */
  readonly env?: Readonly<Record<string, string>>;
  /** Adds to the database, before it is vacuumed. */
  readonly fill?: (ledger: LedgerSettings) => Promise<void>;
}

export async function startLoadedService(options: LoadedServiceOptions): Promise<LoadedService> {
  const { url, accounts, rails, env, fill } = options;
  await using stack = new AsyncDisposableStack();
  const service = await startService(url, rails, env);
  stack.defer(() => service.stop());
  const payers = accountNumbers(accounts);
  const partner = await findPartnerKey(url, service.partner.partnerId);
  const ledger = { url, partner, accountNumbers: payers };
  await openAccounts(ledger);
  await fill?.(ledger);
  await vacuum(url);
  const worker = await startWorker(loadScript, { caller: service.partner, ledger } satisfies LoadSettings);
  stack.defer(() => worker.close());
  const owned = stack.move();
  return { service, worker, payers, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
