/**
 * The cluster of a run: embedded, or of Debian's PostgreSQL, with the service's own settings and a cache that also holds
 * TPC-B; or a given one.
 */
import { startEmbeddedPostgres } from "@titian/embedded-postgres";
import { type Cluster, describeCluster } from "./cluster.ts";
import { startInstalledPostgres } from "./installed-postgres.ts";

/** Kept between runs, like a developer's own: only the databases are replaced. */
const dataDir = ".titian/bench";
/** TPC-B's tables of scale 50 are 750 MB: with the default cache the reference would be held back. */
const settings = { shared_buffers: "1GB" };

/** As docs/guides/operating.md recommends; the embedded PostgreSQL is built without it. */
const asInProduction = { wal_compression: "lz4" };

export interface StartCluster {
  /** A URL. */
  readonly given: string | undefined;
  /** Directory of an installed PostgreSQL's programs. */
  readonly installed?: string | undefined;
  readonly onProgress: (text: string) => void;
}

export async function startCluster(options: StartCluster): Promise<Cluster> {
  if (options.given !== undefined) return describeCluster(options.given, () => Promise.resolve());
  const postgres = await startOwn(options);
  try {
    return await describeCluster(postgres.url, () => postgres.stop());
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

function startOwn({ installed, onProgress }: StartCluster): Promise<{ readonly url: string; stop(): Promise<void> }> {
  if (installed !== undefined) return startInstalledPostgres(installed, { ...settings, ...asInProduction });
  const log = (_event: string, message: string) => onProgress(message);
  return startEmbeddedPostgres({ dataDir, onProgress, log: { warn: log, error: log }, settings });
}
