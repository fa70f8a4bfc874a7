/** As operators help themselves where a synchronous standby is away. */
import { setTimeout as sleep } from "node:timers/promises";
import type { ReplicatedServers } from "./replicated-servers.ts";
import { withClient } from "./with-client.ts";

/**
 * `pg_cancel_backend` of all that wait for a standby that has stopped, again and again until the work has ended: they commit
 * locally. While the standby runs it ends their waits.
 */
export async function endingWaits<Result>(servers: ReplicatedServers, work: () => Promise<Result>): Promise<Result> {
  let isOver = false;
  const ended = work().finally(() => {
    isOver = true;
  });
  ended.catch(() => undefined);
  await withClient(servers.primary.url, async (client) => {
    const text = "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'";
    for (; !isOver; await sleep(20)) if (!servers.standby.isRunning) await client.query(text);
  });
  return ended;
}
