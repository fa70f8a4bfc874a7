/** A store of attempts in PostgreSQL, for several processes and over restarts; one table for each partner at one provider. */
import type { AttemptStore, StoredAttempt } from "@titian/client";
import type { Pool } from "pg";

export const createTable = `
create table if not exists attempts (
  key text primary key,
  version integer not null,
  is_open boolean not null,
  stored json not null
);
create index if not exists open_attempts on attempts (key) where is_open`;

const find = "select stored from attempts where key = $1";
const findOpen = "select stored from attempts where is_open order by key";
/** In one statement, so that of several runners one stores each version. */
const save = `
insert into attempts as found (key, version, is_open, stored) values ($1, $2, $3, $4)
on conflict (key) do update set version = excluded.version, is_open = excluded.is_open, stored = excluded.stored
  where found.version = excluded.version - 1
returning key`;

export function createPostgresAttempts(pool: Pool): AttemptStore {
  interface Row {
    readonly stored: StoredAttempt;
  }
  return {
    async get(key) {
      const { rows } = await pool.query<Row>(find, [key]);
      return rows[0]?.stored;
    },
    async put(stored) {
      const { key, version, isOpen } = stored;
      const { rowCount } = await pool.query(save, [key, version, isOpen, JSON.stringify(stored)]);
      return rowCount === 1;
    },
    async listOpen() {
      const { rows } = await pool.query<Row>(findOpen);
      return rows.map(({ stored }) => stored);
    },
  };
}
