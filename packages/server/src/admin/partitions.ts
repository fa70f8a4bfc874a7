/** Partitions and the search for operators: what there is, putting old ones away and back. As the role of jobs, or the owner of the schema. */
import { connectPlain } from "../store/postgres/connect.ts";
import {
  attachPeriodOf,
  detachBefore,
  type DetachResult,
  listPartitions as list,
  type PartitionRow,
} from "../store/partitions/detach.ts";
import { emptySearch, endSearchKeys } from "../store/partitions/search.ts";
import { isDenied } from "../store/schema/rights.ts";
import type { CellDatabase } from "../basics/cell-address.ts";
import type { Keys } from "../basics/keys.ts";
import { withCellPool } from "./cells/cell-pool.ts";
import { findUnmirroredObstacles } from "./cells/unmirrored.ts";
import { recordSignerOf } from "./record-keys.ts";
import { AdminError } from "./result.ts";

export type { DetachResult, PartitionRow };

export function listPartitions(databaseUrl: string): Promise<readonly PartitionRow[]> {
  return withJobs(databaseUrl, list);
}

export interface DetachOptions {
  /** As of `attachPartition`. */
  readonly formerKeys?: readonly string[];
  readonly keys?: Keys | undefined;
  /** Home and the cells with their addresses: those that this database has sent money to are asked what they have of it. */
  readonly cells?: readonly CellDatabase[];
}

/** `before`: epoch ms. `providerKey`, in PEM: signs what the partitions held, or `keys` do. */
export function detachPartitions(
  databaseUrl: string,
  before: number,
  providerKey: string,
  { formerKeys = [], keys, cells = [] }: DetachOptions = {},
): Promise<DetachResult> {
  const signer = recordSignerOf(providerKey, formerKeys, keys);
  return withJobs(databaseUrl, (client) =>
    detachBefore(client, before, signer, (to) =>
      withCellPool({ url: databaseUrl }, (own) => findUnmirroredObstacles(own, cells, to)),
    ),
  );
}

/** `formerKeys`, public ones in PEM: what is detached may be signed with them, too. */
export function attachPartition(
  databaseUrl: string,
  name: string,
  providerKey: string,
  formerKeys: readonly string[] = [],
  keys?: Keys,
): Promise<readonly string[]> {
  return withOwner(databaseUrl, (client) =>
    attachPeriodOf(client, name, recordSignerOf(providerKey, formerKeys, keys)),
  );
}

/** The words of the search are removed; a running service makes them again. */
export function rebuildSearch(databaseUrl: string): Promise<void> {
  return withJobs(databaseUrl, emptySearch);
}

/** Ends the keys of the months that end at a time (epoch ms) or before. */
export function endSearchKeysBefore(databaseUrl: string, before: number) {
  return withOwner(databaseUrl, async (client) => {
    const date = new Date(before);
    const month = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 1)).toISOString().slice(0, 7);
    return { month, count: await endSearchKeys(client, month) };
  });
}

type Connection = Awaited<ReturnType<typeof connectPlain>>;
type Work<Value> = (client: Connection) => Promise<Value>;

const withJobs = <Value>(url: string, work: Work<Value>) =>
  withRole(url, "the role of jobs (`titian migrate --job-role <role>`)", work);
const withOwner = <Value>(url: string, work: Work<Value>) => withRole(url, "the owner of the schema", work);

/** @throws AdminError that names the role which has the rights, and the setting */
async function withRole<Value>(connectionString: string, whose: string, work: Work<Value>): Promise<Value> {
  const client = await connectPlain({ connectionString, application_name: "titian database" });
  try {
    return await work(client);
  } catch (error) {
    if (!isDenied(error)) throw error;
    const message = `DATABASE_URL logs in as ${client.user}, which may not: set it to the URL of ${whose}`;
    throw new AdminError(`${message}. PostgreSQL says: ${(error as Error).message}.`, { cause: error });
  } finally {
    await client.end();
  }
}
