/** A real PostgreSQL without an installation, and how the processes of this machine are told apart. */
export type { ClusterEvent, ClusterLog } from "./cluster-log.ts";
export { readClusterRecord } from "./cluster/cluster-record.ts";
export { isAlive } from "./process/process-identity.ts";
export {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  findEmbeddedUrl,
  startEmbeddedPostgres,
} from "./start-embedded-postgres.ts";
export { waitUntil } from "./process/wait-until.ts";
export { watchParent } from "./process/watch-parent.ts";
