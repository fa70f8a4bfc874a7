/** Transactions that write what the audit reads and that nobody can see yet, such as a commit that waits for its standby. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Client, Pool } from "pg";
import { queryRows } from "../postgres/query-rows.ts";

/** They keep their locks, which every role may see, until others see what they wrote. */
const openWriters = `select l.virtualtransaction, floor(extract(epoch from a.xact_start) * 1000)::bigint
  from pg_locks l left join pg_stat_activity a on a.pid = l.pid
  where l.locktype = 'relation' and l.mode in ('RowShareLock', 'RowExclusiveLock') and l.granted
    and l.database = (select oid from pg_database where datname = current_database())
    and l.relation = any(array['accepted_requests', 'accounts', 'acts', 'bulks', 'entries', 'hold_events', 'holds', 'outbox',
      'payment_requests', 'rejected_requests', 'transfers']::regclass[])`;

const looksMax = 20;
const pauseMs = 100;

/**
 * Since when (epoch ms) the oldest of them is open; `now`: none is. PostgreSQL says the time of one's own role alone: the
 * others are waited for. Undefined: one of them stays open.
 */
export async function readOldestWriter(client: Pool | Client, now: number): Promise<number | undefined> {
  let open = await findWriters(client);
  for (let looks = 1; [...open.values()].includes(undefined) && looks < looksMax; looks += 1) {
    await sleep(pauseMs);
    const later = await findWriters(client);
    open = new Map([...open].filter(([transaction]) => later.has(transaction)));
  }
  const times = [...open.values()];
  return times.includes(undefined) ? undefined : Math.min(now, ...times.map(Number));
}

/** Each with when it began, if that may be seen. */
async function findWriters(client: Pool | Client): Promise<ReadonlyMap<string, number | undefined>> {
  const rows = await queryRows(client, { text: openWriters });
  return new Map(rows.map(([transaction, since]) => [transaction ?? "", since == null ? undefined : Number(since)]));
}
