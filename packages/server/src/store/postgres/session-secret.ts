/** Secrets of operators' sessions, by the connections that carry them to the database (0038-operator-sessions.sql). */
import type { Pool, PoolClient } from "pg";

const secrets = new WeakMap<Pool, string>();

export function keepSessionSecret(pool: Pool, secret: string): void {
  secrets.set(pool, secret);
}

/** Behind `begin`: the setting ends with the transaction. Nothing for connections of nobody. */
export async function sendSessionSecret(pool: Pool, client: PoolClient): Promise<void> {
  const secret = secrets.get(pool);
  if (secret !== undefined) await client.query("select set_config('titian.session', $1, true)", [secret]);
}
