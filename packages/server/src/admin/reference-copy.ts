/** One immutable copy of the reference data: what `decide` sees of it, and what the edge authenticates partners by. */
import type { PartnerCredentials } from "../call.ts";
import {
  type MerchantTerms,
  merchantKeyOf,
  type PartnerTerms,
  type Reference,
  type ServiceTerms,
} from "../engine/reference.ts";
import { minor } from "../ledger/money.ts";
import type { Secrets } from "../secrets.ts";
import { defaultChannelIdLength } from "./partner-input.ts";
import type { MerchantRow, PartnerRow, ReferenceChanges } from "../store/reference.ts";

export interface ReferenceCopy {
  readonly reference: Reference;
  readonly byKey: ReadonlyMap<string, PartnerCredentials>;
  readonly byPartnerId: ReadonlyMap<string, PartnerCredentials>;
  readonly byClientKey: ReadonlyMap<string, PartnerCredentials>;
}

/** How long a hold lasts where neither its merchant nor the call says: 7 days (decision D10). */
const defaultHoldSeconds = 7 * 24 * 60 * 60;

/** What a sealed client secret is bound to. */
export function secretContext(partnerKey: string): string {
  return `partner-secret:${partnerKey}`;
}

export function emptyCopy(terms: ServiceTerms): ReferenceCopy {
  return {
    reference: { version: 0, partners: new Map(), merchants: new Map(), ...terms },
    byKey: new Map(),
    byPartnerId: new Map(),
    byClientKey: new Map(),
  };
}

/**
 * The next copy. Partners that did not change stay the same objects, so that what others keep about one stays valid.
 * @param onSealed told of each partner whose secrets this process cannot open; it goes on without them.
 */
export function applyChanges(
  copy: ReferenceCopy,
  changes: ReferenceChanges,
  secrets: Secrets,
  onSealed: (partnerId: string, error: unknown) => void,
): ReferenceCopy {
  const { reference } = copy;
  const partners = new Map(reference.partners);
  const merchants = new Map(reference.merchants);
  const byKey = new Map(copy.byKey);
  const byPartnerId = new Map(copy.byPartnerId);
  const byClientKey = new Map(copy.byClientKey);
  for (const row of changes.partners) {
    const credentials = toCredentials(row, secrets, onSealed);
    partners.set(row.key, toTerms(row));
    byKey.set(row.key, credentials);
    byPartnerId.set(row.partnerId, credentials);
    byClientKey.set(row.clientKey, credentials);
  }
  for (const row of changes.merchants) merchants.set(merchantKeyOf(row.partner, row.merchantId), toMerchant(row));
  return {
    reference: { ...reference, version: changes.version, partners, merchants },
    byKey,
    byPartnerId,
    byClientKey,
  };
}

function toTerms({ key, partnerId, status }: PartnerRow): PartnerTerms {
  return { key, partnerId, status };
}

function toCredentials(
  row: PartnerRow,
  secrets: Secrets,
  onSealed: (partnerId: string, error: unknown) => void,
): PartnerCredentials {
  const { key, partnerId, clientKey, status, signing, publicKeys, settings } = row;
  const opened = row.sealedSecrets.flatMap((sealed) => {
    try {
      return [secrets.open(sealed, secretContext(key))];
    } catch (error) {
      onSealed(partnerId, error);
      return [];
    }
  });
  return {
    key,
    partnerId,
    clientKey,
    status,
    signing,
    secrets: opened,
    publicKeys,
    services: settings.services,
    addresses: settings.addresses,
    ...(settings.rateLimit !== undefined && { rateLimit: settings.rateLimit }),
    acceptsMinifiedSignature: settings.acceptsMinifiedSignature,
    channelIdLengthMax: settings.channelIdLengthMax ?? defaultChannelIdLength,
    ...(settings.timestampWindowSeconds !== undefined && {
      timestampWindowMs: settings.timestampWindowSeconds * 1_000,
    }),
  };
}

function toMerchant(row: MerchantRow): MerchantTerms {
  const { key, partner, merchantId, status, settlementAccount, payerAccount } = row;
  const { defaultHoldAmount, customerTokenRequired = false, holdSeconds = defaultHoldSeconds } = row.settings;
  return {
    key,
    partner,
    merchantId,
    status,
    settlementAccount,
    ...(payerAccount !== undefined && { payerAccount }),
    ...(defaultHoldAmount !== undefined && { defaultHoldAmount: minor(BigInt(defaultHoldAmount)) }),
    customerTokenRequired,
    holdMs: holdSeconds * 1_000,
  };
}
