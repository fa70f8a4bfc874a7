/**
 * A notification store in PostgreSQL: for several processes, and over restarts; one table for each provider. A claim whose
 * process died ends after `leaseMs`, which must be well above three times the receiver's `handlerTimeoutMs`.
 */
import { randomUUID } from "node:crypto";
import type { NotificationKey, NotificationStore } from "@titian/client";
import type { Pool } from "pg";

export const createTable = `
create table if not exists handled_notifications (
  service_code text not null,
  number text not null,
  status text not null,
  is_done boolean not null default false,
  claimed_by uuid not null,
  claimed_at timestamptz not null default now(),
  primary key (service_code, number, status)
)`;

/** In one statement, so that of any number at once one claims it. */
const claim = `
insert into handled_notifications as found (service_code, number, status, claimed_by) values ($1, $2, $3, $4)
on conflict (service_code, number, status) do update set claimed_by = excluded.claimed_by, claimed_at = now()
  where not found.is_done and found.claimed_at < now() - $5 * interval '1 millisecond'
returning number`;

const isIt = "service_code = $1 and number = $2 and status = $3";
const find = `select is_done from handled_notifications where ${isIt}`;
const finish = `update handled_notifications set is_done = true where ${isIt}`;
/** Not the claim of another process that has taken over since. */
const drop = `delete from handled_notifications where ${isIt} and claimed_by = $4 and not is_done`;

export function createPostgresStore(pool: Pool, { leaseMs = 120_000 } = {}): NotificationStore {
  const owner = randomUUID();
  const valuesOf = ({ serviceCode, number, status }: NotificationKey) => [serviceCode, number, status];
  return {
    async claim(key) {
      const claimed = await pool.query(claim, [...valuesOf(key), owner, leaseMs]);
      if (claimed.rowCount === 1) return "new";
      const { rows } = await pool.query<{ is_done: boolean }>(find, valuesOf(key));
      return rows[0]?.is_done === true ? "done" : "busy";
    },
    async complete(key) {
      await pool.query(finish, valuesOf(key));
    },
    async release(key) {
      await pool.query(drop, [...valuesOf(key), owner]);
    },
  };
}
