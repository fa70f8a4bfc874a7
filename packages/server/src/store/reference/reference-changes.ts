/**
 * New grants of customers, which administration alone writes, and what is looked up before an act about a partner is proposed: the
 * functions of acts write partners, credentials and merchants (0040-reference-acts.sql).
 */
import type { Pool } from "pg";
import type { NextSecret } from "./customer-grants.ts";

/** True when another partner has this client key. */
export async function isClientKeyTaken(client: Pool, clientKey: string, partnerId: string): Promise<boolean> {
  const found = await client.query({
    name: "find-client-key",
    text: "select from partners where client_key = $1 and partner_id <> $2",
    values: [clientKey, partnerId],
  });
  return found.rows.length > 0;
}

/** True when another partner signs with one of these public keys. */
export async function isPublicKeyTaken(client: Pool, pems: readonly string[], partnerId: string): Promise<boolean> {
  const found = await client.query({
    name: "find-public-key",
    text: `select from partner_credentials c join partners p on p.id = c.partner
      where c.kind = 'publicKey' and c.value = any($1::text[]) and p.partner_id <> $2`,
    values: [pems, partnerId],
  });
  return found.rows.length > 0;
}

export interface NewGrant extends NextSecret {
  readonly id: string;
  /** Internal id of the partner. */
  readonly partner: string;
  /** Internal id of the account. */
  readonly account: string;
  readonly accountNo: string;
}

/** Adds a grant that waits for its code. */
export async function insertGrant(pool: Pool, grant: NewGrant): Promise<void> {
  await pool.query({
    name: "insert-grant",
    text: `insert into customer_grants (id, partner, account_id, account_no, generation, hash, expires_at)
      values ($1::uuid, $2::uuid, $3::uuid, $6, 0, $4::bytea, $5::timestamptz)`,
    values: [
      grant.id,
      grant.partner,
      grant.account,
      grant.hash,
      new Date(grant.expiresAt).toISOString(),
      grant.accountNo,
    ],
  });
}
