/**
 * Changes that administration alone writes: reference data, always inside `changeReference`, and new grants of
 * customers. The service's role has no right to any of it (store/postgres/rights.ts).
 */
import type { Pool, PoolClient } from "pg";
import type { NextSecret } from "./customer-grants.ts";
import type { MerchantRow, PartnerRow } from "./reference.ts";

/** Number of credentials of a kind that are valid at once (spec D3: two, for rotation). */
const validAtOnce = 2;

export interface Stamp {
  /** Version of reference data this change makes. */
  readonly version: number;
  /** Business time (epoch ms). */
  readonly now: number;
}

/** Adds a partner, without credentials, or writes all of it but its ids. */
export async function writePartner(client: PoolClient, partner: PartnerRow, { version, now }: Stamp): Promise<void> {
  await client.query({
    name: "write-partner",
    text: `insert into partners (id, partner_id, client_key, name, status, signing, channel_id, settings, version, created_at)
      values ($1::uuid, $2, $3, $4, $5, $6, $7, $8::json, $9::bigint, $10::timestamptz)
      on conflict (id) do update set name = excluded.name, status = excluded.status, signing = excluded.signing,
        channel_id = excluded.channel_id, settings = excluded.settings, version = excluded.version`,
    values: [
      partner.key,
      partner.partnerId,
      partner.clientKey,
      partner.name,
      partner.status,
      partner.signing,
      partner.channelId,
      JSON.stringify(partner.settings),
      version,
      new Date(now).toISOString(),
    ],
  });
}

export interface NewCredential {
  /** UUIDv7: of one moment, the later id is the newer credential. */
  readonly id: string;
  readonly kind: "secret" | "publicKey";
  /** A sealed client secret, or a public key in SPKI PEM. */
  readonly value: string;
}

/** Adds a credential; of its kind the newest `keep` stay valid, the others are gone with this change. */
export async function addCredential(
  client: PoolClient,
  partner: string,
  credential: NewCredential,
  { now }: Stamp,
  keep = validAtOnce,
): Promise<void> {
  await client.query({
    name: "add-credential",
    text: `insert into partner_credentials (id, partner, kind, value, created_at)
      values ($1::uuid, $2::uuid, $3, $4, $5::timestamptz)`,
    values: [credential.id, partner, credential.kind, credential.value, new Date(now).toISOString()],
  });
  await client.query({
    name: "retire-credentials",
    text: `delete from partner_credentials where partner = $1::uuid and kind = $2 and id not in (
      select id from partner_credentials where partner = $1::uuid and kind = $2
        order by created_at desc, id desc limit $3::int)`,
    values: [partner, credential.kind, keep],
  });
}

/** Ends credentials of a partner by their values. */
export async function removeCredentials(client: PoolClient, partner: string, values: readonly string[]): Promise<void> {
  if (values.length === 0) return;
  await client.query({
    name: "remove-credentials",
    text: "delete from partner_credentials where partner = $1::uuid and value = any($2::text[])",
    values: [partner, values],
  });
}

/** True when another partner has this client key. */
export async function isClientKeyTaken(client: PoolClient, clientKey: string, partnerId: string): Promise<boolean> {
  const found = await client.query({
    name: "find-client-key",
    text: "select from partners where client_key = $1 and partner_id <> $2",
    values: [clientKey, partnerId],
  });
  return found.rows.length > 0;
}

/** True when another partner signs with one of these public keys. */
export async function isPublicKeyTaken(
  client: PoolClient,
  pems: readonly string[],
  partnerId: string,
): Promise<boolean> {
  const found = await client.query({
    name: "find-public-key",
    text: `select from partner_credentials c join partners p on p.id = c.partner
      where c.kind = 'publicKey' and c.value = any($1::text[]) and p.partner_id <> $2`,
    values: [pems, partnerId],
  });
  return found.rows.length > 0;
}

/** Adds a merchant, or writes its name, status, accounts and settings. */
export async function writeMerchant(client: PoolClient, merchant: MerchantRow, { version, now }: Stamp): Promise<void> {
  await client.query({
    name: "write-merchant",
    text: `insert into merchants (id, partner, merchant_id, name, status, settlement_account_id, payer_account_id,
        settings,
        version, created_at)
      values ($1::uuid, $2::uuid, $3, $4, $5, $6::uuid, $7::uuid, $8::json, $9::bigint, $10::timestamptz)
      on conflict (id) do update set name = excluded.name, status = excluded.status,
        settlement_account_id = excluded.settlement_account_id, payer_account_id = excluded.payer_account_id,
        settings = excluded.settings, version = excluded.version`,
    values: [
      merchant.key,
      merchant.partner,
      merchant.merchantId,
      merchant.name,
      merchant.status,
      merchant.settlementAccount,
      merchant.payerAccount ?? null,
      JSON.stringify(merchant.settings),
      version,
      new Date(now).toISOString(),
    ],
  });
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
    text: `insert into customer_grants (id, partner, account_id, generation, hash, expires_at)
      values ($1::uuid, $2::uuid, $3::uuid, 0, $4::bytea, $5::timestamptz)`,
    values: [grant.id, grant.partner, grant.account, grant.hash, new Date(grant.expiresAt).toISOString()],
  });
}
