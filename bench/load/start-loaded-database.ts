/** The service on a database of its own with customer accounts, and the load generator that calls it. */
import type { Cluster } from "../database/cluster.ts";
import { createLedgerDatabase, dropDatabase } from "../database/databases.ts";
import type { Measured, Window } from "../subject.ts";
import { auditDatabase } from "../subjects/audit-database.ts";
import { runWindow } from "../subjects/run-window.ts";
import { type LoadedServiceOptions, startLoadedService } from "./start-loaded-service.ts";
import type { Service } from "./start-service.ts";

interface LoadedDatabaseOptions extends Pick<LoadedServiceOptions, "accounts" | "fill"> {
  readonly cluster: Cluster;
  readonly database: string;
  readonly onProgress: (text: string) => void;
}

export interface LoadedDatabase extends AsyncDisposable {
  readonly url: string;
  readonly service: Service;
  /** `onPrepared` runs directly before the measured time. */
  run(window: Window, onPrepared?: () => Promise<void>): Promise<Measured>;
}

/** At its end the database is audited, which may take longer than what was measured, and dropped. */
export async function startLoadedDatabase(options: LoadedDatabaseOptions): Promise<LoadedDatabase> {
  const { cluster, database, onProgress, ...filled } = options;
  await using stack = new AsyncDisposableStack();
  const url = await createLedgerDatabase(cluster.url, database);
  stack.defer(() => dropDatabase(cluster.url, database));
  stack.defer(() => auditDatabase(database, url, onProgress));
  const { service, worker } = stack.use(await startLoadedService({ url, rails: "bench", ...filled }));
  const started = stack.move();
  return {
    url,
    service,
    run: (window, onPrepared) => runWindow(worker, { cluster, services: [service.pid] }, window, onPrepared),
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}
