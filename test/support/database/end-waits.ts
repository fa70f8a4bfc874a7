/** As operators help themselves where a synchronous standby is away. */
import { setTimeout as sleep } from "node:timers/promises";
import { withClient } from "./with-client.ts";

/** `pg_cancel_backend` of all that wait for the standby, again and again until the work has ended: they commit locally. */
export async function endingWaits<Result>(ownerUrl: string, work: () => Promise<Result>): Promise<Result> {
  let isOver = false;
  const ended = work().finally(() => {
    isOver = true;
  });
  ended.catch(() => undefined);
  await withClient(ownerUrl, async (client) => {
    const text = "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'";
    for (; !isOver; await sleep(20)) await client.query(text);
  });
  return ended;
}
