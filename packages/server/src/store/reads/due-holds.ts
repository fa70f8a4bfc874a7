/** Open holds whose time has passed, in the order in which it passed. */
import type { Pool } from "pg";

export interface DueHold {
  readonly id: string;
  /** As the database wrote it: a page begins after it exactly. */
  readonly expiresAt: string;
}

interface DuePage {
  /** Business time (epoch ms). */
  readonly now: number;
  readonly after: DueHold | undefined;
  readonly limit: number;
}

export async function listDueHolds(pool: Pool, { now, after, limit }: DuePage): Promise<readonly DueHold[]> {
  const { rows } = await pool.query<string[]>({
    name: "list-due-holds",
    text: `select id, expires_at::text from holds
      where is_open and expires_at <= $1::timestamptz
        and (expires_at, id) > (coalesce($2::timestamptz, '-infinity'), coalesce($3::uuid, '00000000-0000-0000-0000-000000000000'))
      order by expires_at, id limit $4::int`,
    values: [new Date(now).toISOString(), after?.expiresAt, after?.id, limit],
    rowMode: "array",
  });
  return rows.map(([id, expiresAt]) => ({ id: id as string, expiresAt: expiresAt as string }));
}

export async function countDueHolds(pool: Pool, now: number): Promise<number> {
  const { rows } = await pool.query<string[]>({
    name: "count-due-holds",
    text: "select count(*) from holds where is_open and expires_at <= $1::timestamptz",
    values: [new Date(now).toISOString()],
    rowMode: "array",
  });
  return Number(rows[0]?.[0]);
}
