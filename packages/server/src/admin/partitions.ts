/** Partitions for operators: what there is, and putting old ones away and back. As the owner of the schema. */
import { createPrivateKey, createPublicKey } from "node:crypto";
import { signRsa, verifyRsa } from "@titian/contract";
import { connectPlain } from "../store/postgres/connect.ts";
import {
  attachPeriodOf,
  detachBefore,
  type DetachResult,
  listPartitions as list,
  type PartitionRow,
} from "../store/postgres/detach.ts";
import type { RecordSigner } from "../store/postgres/partition-records.ts";

export type { DetachResult, PartitionRow };

export function listPartitions(databaseUrl: string): Promise<readonly PartitionRow[]> {
  return withOwner(databaseUrl, list);
}

/** `before`: epoch ms. `providerKey`, in PEM: signs what the partitions held. */
export function detachPartitions(databaseUrl: string, before: number, providerKey: string): Promise<DetachResult> {
  return withOwner(databaseUrl, (client) => detachBefore(client, before, signerOf(providerKey)));
}

/** `providerKey`: the one that they were detached with. */
export function attachPartition(databaseUrl: string, name: string, providerKey: string): Promise<readonly string[]> {
  return withOwner(databaseUrl, (client) => attachPeriodOf(client, name, signerOf(providerKey)));
}

function signerOf(providerKey: string): RecordSigner {
  const key = createPrivateKey(providerKey);
  const publicKey = createPublicKey(key);
  return {
    sign: (text) => signRsa(key, text),
    isSigned: (text, signature) => verifyRsa(publicKey, text, signature),
  };
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
