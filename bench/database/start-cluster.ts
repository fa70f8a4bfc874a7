/** The cluster of a run: embedded, with the service's own settings and a cache that also holds TPC-B; or a given one. */
import { startEmbeddedPostgres } from "@titian/embedded-postgres";
import { type Cluster, describeCluster } from "./cluster.ts";

/** Kept between runs, like a developer's own: only the databases are replaced. */
const dataDir = ".titian/bench";

export interface StartCluster {
  readonly given: string | undefined;
  readonly onProgress: (text: string) => void;
}

export async function startCluster({ given, onProgress }: StartCluster): Promise<Cluster> {
  if (given !== undefined) return describeCluster(given, () => Promise.resolve());
  const postgres = await startEmbeddedPostgres({
    dataDir,
    onProgress,
    log: { warn: (_event, message) => onProgress(message), error: (_event, message) => onProgress(message) },
    // TPC-B's tables of scale 50 are 750 MB: with the default cache the reference would be held back. The SQL-function
    // ledger has a connection a caller.
    settings: { shared_buffers: "1GB", max_connections: "400" },
  });
  try {
    return await describeCluster(postgres.url, () => postgres.stop());
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}
