/** Several plain statements in one transaction. */
import type { Pool, PoolClient } from "pg";
import { sendSessionSecret } from "./session-secret.ts";

/** @throws also when the synchronous standby did not confirm the commit: it is to be repeated. */
export async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: unknown;
  // A lost connection fails its statement; the event needs a listener, or it would end the process.
  const ignoreLoss = () => undefined;
  client.on("error", ignoreLoss);
  try {
    await client.query("begin");
    await sendSessionSecret(pool, client);
    const result = await work(client);
    await commitSurely(client);
    return result;
  } catch (error) {
    await client.query("rollback").catch(() => undefined);
    broken = error;
    throw error;
  } finally {
    client.off("error", ignoreLoss);
    // One on which something failed is not given to the next: it may be lost, or its plans those of a changed table.
    client.release(broken !== undefined);
  }
}

/** @throws also when PostgreSQL warned: the wait for the synchronous standby was cancelled, and a failover loses the change. */
async function commitSurely(client: PoolClient): Promise<void> {
  let warned = false;
  const warn = () => {
    warned = true;
  };
  client.on("notice", warn);
  await client.query("commit").finally(() => client.off("notice", warn));
  if (warned) throw new Error("The synchronous standby did not confirm the change: repeat it.");
}
