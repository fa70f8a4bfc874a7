/** Statements of two sessions at once: the second is sent while the transaction of the first is open, and waits for it. */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { ask } from "./operators.ts";
import { withClient } from "./with-client.ts";

/** The second statement's end; the first ones are committed once it waits. */
export async function duringOpen(
  url: string,
  first: readonly string[],
  second: string,
): Promise<PromiseSettledResult<readonly string[]>> {
  return withClient(url, async (holder) => {
    await holder.query("begin");
    for (const text of first) await holder.query(text);
    const [asked] = [Promise.allSettled([ask(url, second)])];
    await withClient(url, untilOneWaits);
    await holder.query("commit");
    const [result] = await asked;
    return result;
  });
}

/** Resolves when a statement of another session waits for a lock. */
async function untilOneWaits(watcher: Client): Promise<void> {
  const text = `select from pg_stat_activity join pg_locks using (pid) where datname = current_database() and not granted`;
  for (let tries = 0; (await watcher.query(text)).rowCount === 0; tries += 1) {
    assert.ok(tries < 300, "nobody waits");
    await sleep(10);
  }
}
