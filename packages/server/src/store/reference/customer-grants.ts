/** Grants of customers (spec D3): which code or refresh token is good next, for which partner and account. */
import type { Pool, PoolClient, QueryConfig } from "pg";
import { queryRows } from "../postgres/query-rows.ts";

/** Secret that is good to be presented next. */
export interface NextSecret {
  /** SHA-256 of its text, 32 bytes. */
  readonly hash: Buffer;
  /** Business time (epoch ms). */
  readonly expiresAt: number;
}

export interface PresentedSecret {
  /** Id of the grant. */
  readonly id: string;
  /** Internal id of the partner that presents it. */
  readonly partner: string;
  readonly generation: number;
  readonly hash: Buffer;
}

/**
 * Spends what was presented and puts the next secret in its place, in one statement: of several at once, one finds it
 * unspent. Returns the number of the account, or undefined when it is not good (any longer), or the account is closed, which
 * is looked at where it lies in this database: a cell need not answer for its customers to get tokens. A grant of an earlier
 * release has no number, and its account is here.
 */
export async function redeemGrant(
  pool: Pool,
  presented: PresentedSecret,
  next: NextSecret,
  now: number,
): Promise<string | undefined> {
  const rows = await queryRows(pool, {
    name: "redeem-grant",
    text: `update customer_grants g set generation = g.generation + 1, hash = $5::bytea, expires_at = $6::timestamptz
      from (select n.id, coalesce(n.account_no, a.account_no) as account_no
        from customer_grants n left join accounts a on a.id = n.account_id
        where n.id = $1::uuid and (a.status <> 'closed' or (a.id is null and n.account_no is not null))) found
      where g.id = found.id and g.partner = $2::uuid and g.generation = $3::int and g.hash = $4::bytea
        and g.expires_at > $7::timestamptz
      returning found.account_no`,
    values: [
      presented.id,
      presented.partner,
      presented.generation,
      presented.hash,
      next.hash,
      instant(next.expiresAt),
      instant(now),
    ],
  });
  return rows[0]?.[0] ?? undefined;
}

export interface GrantState extends NextSecret {
  /** Generation of the secret that is good to be presented next. */
  readonly generation: number;
  readonly accountNo: string;
  readonly isAccountClosed: boolean;
}

/** The partner's grant as it is now; undefined when there is none, or no longer. */
export async function findGrant(
  pool: Pool,
  { id, partner }: Pick<PresentedSecret, "id" | "partner">,
): Promise<GrantState | undefined> {
  const [row] = await queryRows(pool, {
    name: "find-grant",
    text: `select g.generation, encode(g.hash, 'hex'), (date_part('epoch', g.expires_at) * 1000)::bigint, coalesce(g.account_no, a.account_no), a.status
      from customer_grants g left join accounts a on a.id = g.account_id where g.id = $1::uuid and g.partner = $2::uuid`,
    values: [id, partner],
  });
  if (row === undefined) return undefined;
  const [generation, hash, expiresAt, accountNo, status] = row as string[];
  return {
    generation: Number(generation),
    hash: Buffer.from(hash as string, "hex"),
    expiresAt: Number(expiresAt),
    accountNo: accountNo as string,
    isAccountClosed: status === "closed",
  };
}

export interface GrantToEnd extends Pick<PresentedSecret, "id" | "partner" | "generation"> {
  /** Version of reference data that tells of it. */
  readonly version: number;
  /** Business time (epoch ms) at which the last of their access tokens has expired. */
  readonly tokensExpireAt: number;
}

/**
 * Ends a grant past this generation, whatever generation it has come to meanwhile, inside `changeReference`: nothing can be had for
 * it any more, and every node hears that its access tokens have ended. False: it had ended.
 */
export async function endGrant(client: PoolClient, ended: GrantToEnd): Promise<boolean> {
  const result = await client.query({
    name: "end-grant",
    text: `with ended as (delete from customer_grants where partner = $1::uuid and id = $4::uuid and generation > $5::int returning id)
      insert into ended_grants (id, version, expires_at) select id, $2::bigint, $3::timestamptz from ended`,
    values: [ended.partner, ended.version, instant(ended.tokensExpireAt), ended.id, ended.generation],
  });
  return result.rowCount === 1;
}

/** Deletes up to `limit` ended grants whose access tokens expired before the given business time; returns how many went. */
export function deleteEndedGrants(pool: Pool, before: number, limit: number): Promise<number> {
  const text = `delete from ended_grants where id = any(array(
    select id from ended_grants where expires_at < $1::timestamptz order by expires_at limit $2::int))`;
  return deleteExpired(pool, { name: "delete-ended-grants", text, values: [instant(before), limit] });
}

/** Deletes up to `limit` grants that expired before the given business time; returns how many went. */
export function deleteExpiredGrants(pool: Pool, before: number, limit: number): Promise<number> {
  const text = `delete from customer_grants where id = any(array(
    select id from customer_grants where expires_at < $1::timestamptz order by expires_at limit $2::int))`;
  return deleteExpired(pool, { name: "delete-expired-grants", text, values: [instant(before), limit] });
}

async function deleteExpired(pool: Pool, statement: QueryConfig): Promise<number> {
  return (await pool.query(statement)).rowCount ?? 0;
}

function instant(ms: number): string {
  return new Date(ms).toISOString();
}
