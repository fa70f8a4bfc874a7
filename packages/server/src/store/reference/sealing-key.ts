/** Public key that client secrets are sealed with. A function that the service alone may call writes it (0046-sealing-key.sql). */
import type { Client, Pool } from "pg";
import { queryRows } from "../postgres/query-rows.ts";

export interface PublishedKey {
  /** Id of the master key that the private half is derived from. */
  readonly id: string;
  /** X25519, in Base64url. */
  readonly publicKey: string;
}

/** Undefined until a node has published one. */
export async function readSealingKey(pool: Pool | Client): Promise<PublishedKey | undefined> {
  const [row] = await queryRows(pool, { name: "read-sealing-key", text: "select key_id, public_key from sealing_key" });
  return row && { id: row[0] as string, publicKey: row[1] as string };
}

/** Takes the place of `replaced`; another that has been published meanwhile stays. */
export async function publishSealingKey(
  pool: Pool | Client,
  { id, publicKey }: PublishedKey,
  replaced: PublishedKey | undefined,
): Promise<void> {
  await queryRows(pool, {
    name: "publish-sealing-key",
    text: "select publish_sealing_key($1, $2, $3, $4)",
    values: [id, publicKey, replaced?.id, replaced?.publicKey],
  });
}
