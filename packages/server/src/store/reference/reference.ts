/**
 * Reference data as every node copies it: partners with their credentials, merchants. Whoever changes it bumps one
 * version and stamps the rows, so a node that is up to date reads a single number.
 */
import type { Pool, PoolClient } from "pg";
import type { PartnerCell } from "../../ledger/reference/reference-data.ts";
import { inTransaction } from "../postgres/in-transaction.ts";
import { queryRows } from "../postgres/query-rows.ts";
import { epochMs } from "../statements/select-list.ts";
import type { TextRow } from "../postgres/session.ts";

/** Settings of a partner that are kept as one JSON value. */
export interface PartnerSettings {
  /** Service codes it may call. */
  readonly services: readonly string[];
  /** Addresses (IP or CIDR) it may call from; empty allows any. */
  readonly addresses: readonly string[];
  /** Absent: no limit. */
  readonly rateLimit?: { readonly perSecond: number; readonly burst: number };
  /** Spec D4: whether a pretty body signed in its minified form verifies. */
  readonly acceptsMinifiedSignature: boolean;
  /** Longest `CHANNEL-ID` of its calls, in characters; absent: the standard's 5. */
  readonly channelIdLengthMax?: number;
  /** Largest distance of its calls' `X-TIMESTAMP` from our time (s), both ways; absent: the service's setting. */
  readonly timestampWindowSeconds?: number;
  /** Signing of notifications to it (spec D14), beside the base URL they go to; absent: they are kept. */
  readonly notificationSigning: "symmetric" | "asymmetric";
  /** Part of the path that is signed; absent: all of it. A release that does not know this signs all of it. */
  readonly notificationSignedPath?: "service";
  readonly notificationAddress?: string;
  /** Private networks (`private:10.20.0.0/16`) that its notifications may go to; absent: public addresses alone. */
  readonly notificationNetworks?: readonly string[];
  /** Oldest TLS that its notifications may go over; absent: 1.3. */
  readonly notificationTlsMin?: "1.2";
  /** SHA-256 of client certificates, in hexadecimal digits, one of which its calls' connections must have; absent: none. */
  readonly clientCertificates?: readonly string[];
  /** Oldest TLS that it may call over; absent: 1.3. */
  readonly tlsMin?: "1.2";
  /** Its cells, the first it had first; absent: home alone. */
  readonly cells?: readonly PartnerCell[];
}

export type PartnerStatus = "active" | "suspended" | "retired";

export interface CredentialRow {
  readonly id: string;
  readonly kind: "secret" | "publicKey";
  /** A sealed client secret, or a public key in SPKI PEM. */
  readonly value: string;
  /** Epoch ms. */
  readonly createdAt: number;
  /** Business time (epoch ms) from which it is good no more; null: it has no end. */
  readonly expiresAt: number | null;
}

export interface PartnerRow {
  /** Internal id. */
  readonly key: string;
  readonly partnerId: string;
  readonly clientKey: string;
  readonly name: string;
  readonly status: PartnerStatus;
  readonly signing: "symmetric" | "asymmetric";
  readonly channelId: string;
  readonly settings: PartnerSettings;
  /** Newest first; those that have expired are among them. */
  readonly credentials: readonly CredentialRow[];
}

export interface MerchantSettings {
  /** Minor units of the settlement account's currency, as digits. */
  readonly defaultHoldAmount?: string;
  /** True: authorized payments need a customer token; absent: they do not. */
  readonly customerTokenRequired?: true;
  /** Duration of a hold (s); absent: the house's default (spec D10). */
  readonly holdSeconds?: number;
  /** For how long a capture may be refunded (days); absent: the default (spec D10). */
  readonly refundDays?: number;
}

export interface MerchantRow {
  readonly key: string;
  /** Internal id of its partner. */
  readonly partner: string;
  readonly merchantId: string;
  readonly name: string;
  readonly status: "active" | "suspended";
  /** Account ids. */
  readonly settlementAccount: string;
  /** The settlement account's. */
  readonly currency: string;
  readonly payerAccount: string | undefined;
  readonly settings: MerchantSettings;
}

export async function readReferenceVersion(pool: Pool): Promise<number> {
  const [row] = await queryRows(pool, {
    name: "read-reference-version",
    text: "select version from reference_version where id = 1",
  });
  return Number(row?.[0]);
}

/**
 * Runs one change of reference data in a transaction and bumps the version in it. The version's row lock lets one
 * change at a time through, so versions become visible in their order.
 */
export async function changeReference<T>(
  pool: Pool,
  change: (client: PoolClient, version: number) => Promise<T>,
): Promise<T> {
  return inTransaction(pool, async (client) => {
    const bumped = await queryRows(client, {
      name: "bump-reference-version",
      text: "update reference_version set version = version + 1 where id = 1 returning version",
    });
    return change(client, Number(bumped[0]?.[0]));
  });
}

export type PartnerTermsRow = Omit<PartnerRow, "credentials">;

/** A partner by its `X-PARTNER-ID`, as this transaction, or anybody now, sees it. */
export async function findPartner(client: Pool | PoolClient, partnerId: string): Promise<PartnerRow | undefined> {
  return findByPartnerId(client, { name: "find-partner", text: selectPartners }, partnerId);
}

/** A credential as operators see it, without its value. */
export interface ShownCredential extends Omit<CredentialRow, "value"> {
  /** SHA-256 of a public key (SPKI in DER), in hexadecimal digits; undefined: a secret. */
  readonly sha256: string | undefined;
}

/** Newest first. `partner`: internal id. */
export async function listCredentials(pool: Pool, partner: string): Promise<readonly ShownCredential[]> {
  const rows = await queryRows(pool, {
    name: "list-credentials",
    text: `select id, kind, ${epochMs("created_at")}, ${epochMs("expires_at")}, sha256 from shown_credentials
      where partner = $1::uuid order by created_at desc, id desc`,
    values: [partner],
  });
  return rows.map(([id, kind, createdAt, expiresAt, sha256]) => ({
    id: id as string,
    kind: kind as CredentialRow["kind"],
    createdAt: Number(createdAt),
    expiresAt: expiresAt == null ? null : Number(expiresAt),
    sha256: sha256 ?? undefined,
  }));
}

/** As `findPartner`, without its credentials: an operator's connections read none. */
export async function findPartnerTerms(pool: Pool, partnerId: string): Promise<PartnerTermsRow | undefined> {
  return findByPartnerId(pool, { name: "find-partner-terms", text: selectPartnerTerms }, partnerId);
}

async function findByPartnerId(
  client: Pool | PoolClient,
  { name, text }: { readonly name: string; readonly text: string },
  partnerId: string,
): Promise<PartnerRow | undefined> {
  if (partnerId.includes("\u0000")) return undefined;
  const [row] = await queryRows(client, { name, text: `${text} where p.partner_id = $1`, values: [partnerId] });
  return row && readPartner(row);
}

/** A merchant of a partner, as this transaction, or anybody now, sees it. */
export async function findMerchant(
  client: Pool | PoolClient,
  partner: string,
  merchantId: string,
): Promise<MerchantRow | undefined> {
  if (merchantId.includes("\u0000")) return undefined;
  const text = `select ${merchantColumns} from merchants where partner = $1::uuid and merchant_id = $2`;
  const [row] = await queryRows(client, { name: "find-merchant", text, values: [partner, merchantId] });
  return row && readMerchant(row);
}

const partnerColumns = "p.id, p.partner_id, p.client_key, p.name, p.status, p.signing, p.channel_id, p.settings";

/** To be followed by a condition on `p`. */
export const selectPartners = `select ${partnerColumns},
    array_to_json(array(select json_build_object('id', id, 'kind', kind, 'value', value,
        'createdAt', ${epochMs("created_at")}, 'expiresAt', ${epochMs("expires_at")})
      from partner_credentials where partner = p.id order by created_at desc, id desc)),
    p.version
  from partners p`;

/** As `selectPartners`; the credentials are none. */
export const selectPartnerTerms = `select ${partnerColumns}, '[]', p.version from partners p`;

export const merchantColumns = `id, partner, merchant_id, name, status, settlement_account_id, payer_account_id, settings,
  (select a.currency from accounts a where a.id = settlement_account_id)`;

export function readPartner(row: TextRow): PartnerRow {
  const [key, partnerId, clientKey, name, status, signing, channelId, settings, credentials] = row as string[];
  return {
    key: key as string,
    partnerId: partnerId as string,
    clientKey: clientKey as string,
    name: name as string,
    status: status as PartnerRow["status"],
    signing: signing as PartnerRow["signing"],
    channelId: channelId as string,
    settings: JSON.parse(settings as string) as PartnerSettings,
    credentials: JSON.parse(credentials as string) as CredentialRow[],
  };
}

export function readMerchant(row: TextRow): MerchantRow {
  const [key, partner, merchantId, name, status, settlementAccount, payerAccount, settings, currency] = row;
  return {
    key: key as string,
    partner: partner as string,
    merchantId: merchantId as string,
    name: name as string,
    status: status as MerchantRow["status"],
    settlementAccount: settlementAccount as string,
    currency: currency as string,
    payerAccount: payerAccount ?? undefined,
    settings: JSON.parse(settings as string) as MerchantSettings,
  };
}
