/** States of delivery in the outbox of the sandbox's database. */
import type { Client } from "pg";

export interface OutboxStates {
  /** Counts by state. */
  states(): Promise<Readonly<Record<string, number>>>;
  /** Counts those of these partners (internal ids) that wait. */
  countWaiting(partners: readonly string[]): Promise<number>;
  /** Attempts of each, by its id. */
  attempts(): Promise<ReadonlyMap<string, number>>;
  /** When the last attempt of those that wait is due (business time, epoch s); 0: none has been made. */
  lastDueAt(): Promise<number>;
}

export function readOutboxStates(client: Client): OutboxStates {
  return {
    states: async () => {
      const { rows } = await client.query<{ state: string; count: number }>(
        "select state, count(*)::int as count from outbox group by state order by state",
      );
      return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
    },
    countWaiting: async (partners) => {
      const { rows } = await client.query<{ count: number }>(
        "select count(*)::int as count from outbox where state = 'waiting' and partner = any($1::uuid[])",
        [partners],
      );
      return rows[0]?.count ?? 0;
    },
    attempts: async () => {
      const { rows } = await client.query<{ id: string; count: number }>(
        "select id, attempt_count as count from outbox",
      );
      return new Map(rows.map(({ id, count }) => [id, count]));
    },
    lastDueAt: async () => {
      const { rows } = await client.query<{ due: number | null }>(
        "select date_part('epoch', max(next_attempt_at)) as due from outbox where state = 'waiting'",
      );
      return rows[0]?.due ?? 0;
    },
  };
}
