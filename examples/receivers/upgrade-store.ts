/**
 * The store for the 30 days after an upgrade from a version that keyed notifications by external id and body hash. Replace
 * it by postgres-store.ts then, drop received_notifications, and delete this file.
 */
import { randomUUID } from "node:crypto";
import { type EarlierNotificationStore, type NotificationStore, withEarlierKeys } from "@titian/client";
import type { Pool } from "pg";
import { createPostgresStore } from "./postgres-store.ts";

/** The table of before, as it is there already. */
export const createEarlierTable = `
create table if not exists received_notifications (
  external_id text not null,
  body_hash text not null,
  is_done boolean not null default false,
  claimed_by uuid not null,
  claimed_at timestamptz not null default now(),
  primary key (external_id, body_hash)
)`;

/** In one statement, so that of any number at once one claims it. */
const claim = `
insert into received_notifications as found (external_id, body_hash, claimed_by) values ($1, $2, $3)
on conflict (external_id, body_hash) do update set claimed_by = excluded.claimed_by, claimed_at = now()
  where not found.is_done and found.claimed_at < now() - $4 * interval '1 millisecond'
returning external_id`;

const find = "select is_done from received_notifications where external_id = $1 and body_hash = $2";
const finish = "update received_notifications set is_done = true where external_id = $1 and body_hash = $2";
/** Not the claim of another process that has taken over since. */
const drop = `
delete from received_notifications where external_id = $1 and body_hash = $2 and claimed_by = $3 and not is_done`;

/** `upgradedAt`: when the first process of the new version starts. */
export function createUpgradeStore(pool: Pool, upgradedAt: Date): NotificationStore {
  const until = new Date(upgradedAt.getTime() + 30 * 86_400_000);
  return withEarlierKeys(createPostgresStore(pool), { earlier: createEarlierStore(pool), until });
}

/** postgres-store.ts of the earlier version, unchanged. */
export function createEarlierStore(pool: Pool, { leaseMs = 120_000 } = {}): EarlierNotificationStore {
  const owner = randomUUID();
  return {
    async begin({ externalId, bodyHash }) {
      const claimed = await pool.query(claim, [externalId, bodyHash, owner, leaseMs]);
      if (claimed.rowCount === 1) return "new";
      const { rows } = await pool.query<{ is_done: boolean }>(find, [externalId, bodyHash]);
      return rows[0]?.is_done === true ? "done" : "busy";
    },
    async done({ externalId, bodyHash }) {
      await pool.query(finish, [externalId, bodyHash]);
    },
    async failed({ externalId, bodyHash }) {
      await pool.query(drop, [externalId, bodyHash, owner]);
    },
  };
}
