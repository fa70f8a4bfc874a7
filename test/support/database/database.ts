/** A real, migrated database for a test file. No test mocks one. */
import { setTimeout as sleep } from "node:timers/promises";
import { waitUntil } from "@titian/embedded-postgres";
import { citusUrl, createDistributedSchema } from "./distributed-schema.ts";
import { sharedClusterUrl } from "./shared-cluster.ts";
import { cloneTemplate, dropClone, migrateForServices, roleUrlsOf } from "./template.ts";
import { startTestCluster } from "./test-cluster.ts";

export interface TestDatabase extends AsyncDisposable {
  /** As the role that services run as: what it may not do, the service may not. */
  readonly url: string;
  /** As administration: for partners, their credentials, merchants and customers' codes. */
  readonly administrationUrl: string;
  /** As its owner: for what only a migration, an operator's repair or a test's own tables need. */
  readonly ownerUrl: string;
  /** Ends every session on it and drops it. */
  drop(): Promise<void>;
}

/**
 * A database of the caller's own, empty but for the schema, or a copy of another template. Call it once a file, and `drop`
 * after the last test.
 */
export async function useDatabase(template?: string): Promise<TestDatabase> {
  if (citusUrl !== undefined) return useDistributedSchema(citusUrl);
  const cluster = await sharedClusterUrl();
  const ownerUrl = await cloneTemplate(cluster, template);
  const drop = () => dropClone(cluster, ownerUrl);
  return { ...roleUrlsOf(ownerUrl), ownerUrl, drop, [Symbol.asyncDispose]: drop };
}

async function useDistributedSchema(url: string): Promise<TestDatabase> {
  const schema = await createDistributedSchema(url);
  return { ...schema, [Symbol.asyncDispose]: schema.drop };
}

export interface OwnCluster extends AsyncDisposable {
  /** Address of a migrated database, as the role that services run as; the same after every crash. */
  readonly url: string;
  readonly administrationUrl: string;
  readonly ownerUrl: string;
  /** Process id of the server now. */
  readonly pid: number;
  /**
   * Kills the server outright (SIGKILL) and waits until the runner has started it again and it has recovered. Waits
   * before, if it has to: a server that dies again and again within a second is started no more.
   */
  crash(): Promise<void>;
  /** Stops the server and removes its files. */
  stop(): Promise<void>;
}

/** Longer than the runner takes a server for one that has just been started (ms). */
const quietMs = 1_200;

/** A cluster of the caller's own, for tests that kill it. Costs seconds: one a file. */
export async function useOwnCluster(): Promise<OwnCluster> {
  const { postgres, remove } = await startTestCluster();
  const urls = await migrateForServices(postgres.url);
  let quiet: Promise<unknown> = Promise.resolve();
  return {
    ...urls,
    ownerUrl: postgres.url,
    get pid() {
      return postgres.pid;
    },
    crash: async () => {
      await quiet;
      const killed = postgres.pid;
      process.kill(killed, "SIGKILL");
      const isBack = () => (postgres.pid === killed ? undefined : true);
      const back = await waitUntil(isBack, { timeoutMs: 60_000, everyMs: 10 });
      if (back === undefined) throw new Error("PostgreSQL was killed and did not come back within a minute");
      quiet = sleep(quietMs);
    },
    stop: remove,
    [Symbol.asyncDispose]: remove,
  };
}
