/** Grants of customers (decision D3): which code or refresh token is good next, for which partner and account. */
import type { Pool } from "pg";

/** What is good to be presented next. */
export interface NextSecret {
  /** SHA-256 of its text, 32 bytes. */
  readonly hash: Buffer;
  /** Business time (epoch ms). */
  readonly expiresAt: number;
}

export interface NewGrant extends NextSecret {
  readonly id: string;
  /** Internal id of the partner. */
  readonly partner: string;
  /** Internal id of the account. */
  readonly account: string;
}

/** Adds a grant that waits for its code. */
export async function insertGrant(pool: Pool, grant: NewGrant): Promise<void> {
  await pool.query({
    name: "insert-grant",
    text: `insert into customer_grants (id, partner, account, generation, hash, expires_at)
      values ($1::uuid, $2::uuid, $3::uuid, 0, $4::bytea, $5::timestamptz)`,
    values: [grant.id, grant.partner, grant.account, grant.hash, instant(grant.expiresAt)],
  });
}

export interface PresentedSecret {
  /** Of the grant. */
  readonly id: string;
  /** Internal id of the partner that presents it. */
  readonly partner: string;
  readonly generation: number;
  readonly hash: Buffer;
}

/**
 * Spends what was presented and puts the next secret in its place, in one statement: of several at once, one finds it
 * unspent. Returns the number of the account, or undefined when it is not good (any longer), or the account is closed.
 */
export async function redeemGrant(
  pool: Pool,
  presented: PresentedSecret,
  next: NextSecret,
  now: number,
): Promise<string | undefined> {
  const { rows } = await pool.query<[string]>({
    name: "redeem-grant",
    text: `update customer_grants g set generation = g.generation + 1, hash = $5::bytea, expires_at = $6::timestamptz
      from accounts a
      where g.id = $1::uuid and g.partner = $2::uuid and g.generation = $3::int and g.hash = $4::bytea
        and g.expires_at > $7::timestamptz and a.id = g.account and a.status <> 'closed'
      returning a.account_no`,
    values: [
      presented.id,
      presented.partner,
      presented.generation,
      presented.hash,
      next.hash,
      instant(next.expiresAt),
      instant(now),
    ],
    rowMode: "array",
  });
  return rows[0]?.[0];
}

/**
 * Ends the partner's grant if it is past the given generation, whatever generation it has come to meanwhile.
 * Returns whether it was there to end.
 */
export async function endSpentGrant(pool: Pool, { id, partner, generation }: PresentedSecret): Promise<boolean> {
  const result = await pool.query({
    name: "end-spent-grant",
    text: "delete from customer_grants where id = $1::uuid and partner = $2::uuid and generation > $3::int",
    values: [id, partner, generation],
  });
  return result.rowCount === 1;
}

/** Deletes up to `most` grants that expired before the given business time; returns how many went. */
export async function deleteExpiredGrants(pool: Pool, before: number, most: number): Promise<number> {
  const result = await pool.query({
    name: "delete-expired-grants",
    text: `delete from customer_grants where id = any(array(
      select id from customer_grants where expires_at < $1::timestamptz order by expires_at limit $2::int))`,
    values: [instant(before), most],
  });
  return result.rowCount ?? 0;
}

function instant(ms: number): string {
  return new Date(ms).toISOString();
}
