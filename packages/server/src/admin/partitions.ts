/** Partitions and the search for operators: what there is, putting old ones away and back. As the owner of the schema. */
import { connectPlain } from "../store/postgres/connect.ts";
import {
  attachPeriodOf,
  detachBefore,
  type DetachResult,
  listPartitions as list,
  type PartitionRow,
} from "../store/partitions/detach.ts";
import { emptySearch, endSearchKeys } from "../store/partitions/search.ts";
import { recordSignerOf } from "./record-keys.ts";

export type { DetachResult, PartitionRow };

export function listPartitions(databaseUrl: string): Promise<readonly PartitionRow[]> {
  return withOwner(databaseUrl, list);
}

/** `before`: epoch ms. `providerKey`, in PEM: signs what the partitions held. `formerKeys`: as `attachPartition`. */
export function detachPartitions(
  databaseUrl: string,
  before: number,
  providerKey: string,
  formerKeys: readonly string[] = [],
): Promise<DetachResult> {
  return withOwner(databaseUrl, (client) => detachBefore(client, before, recordSignerOf(providerKey, formerKeys)));
}

/** `formerKeys`, public ones in PEM: what is detached may be signed with them, too. */
export function attachPartition(
  databaseUrl: string,
  name: string,
  providerKey: string,
  formerKeys: readonly string[] = [],
): Promise<readonly string[]> {
  return withOwner(databaseUrl, (client) => attachPeriodOf(client, name, recordSignerOf(providerKey, formerKeys)));
}

/** The words of the search are removed; a running service makes them again. */
export function rebuildSearch(databaseUrl: string): Promise<void> {
  return withOwner(databaseUrl, emptySearch);
}

/** Ends the keys of the months that end at a time (epoch ms) or before. */
export function endSearchKeysBefore(databaseUrl: string, before: number) {
  return withOwner(databaseUrl, async (client) => {
    const date = new Date(before);
    const month = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - 1)).toISOString().slice(0, 7);
    return { month, count: await endSearchKeys(client, month) };
  });
}

type Owner = Awaited<ReturnType<typeof connectPlain>>;

async function withOwner<Value>(connectionString: string, work: (client: Owner) => Promise<Value>): Promise<Value> {
  const client = await connectPlain({ connectionString, application_name: "titian database" });
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
