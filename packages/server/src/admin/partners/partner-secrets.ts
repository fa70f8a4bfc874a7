/** Partners with their credentials, for explaining refused calls. What is returned is secret: keep none of it. */
import type { PartnerCredentials } from "../../interfaces/call.ts";
import type { ReferenceData } from "../reference/reference-data.ts";

export interface KnownPartner extends PartnerCredentials {
  /** Agreed `CHANNEL-ID`. */
  readonly channelId: string;
  /** Largest distance of `X-TIMESTAMP` from our time (ms), both ways. */
  readonly timestampWindowMs: number;
}

type Partners = Pick<ReferenceData, "byPartnerId" | "byClientKey" | "byKey" | "endpoints">;

/** The partner of an `X-PARTNER-ID` or `X-CLIENT-KEY`. `windowMs`: the service's own. */
export function findPartnerSecrets(partners: Partners, id: string, windowMs: number): KnownPartner | undefined {
  const partner = partners.byPartnerId(id) ?? partners.byClientKey(id);
  return partner && withSettings(partners, partner, windowMs);
}

/** The first partners, at most so many. */
export function listPartnerSecrets(partners: Partners, windowMs: number, max: number): readonly KnownPartner[] {
  const found: KnownPartner[] = [];
  for (const key of partners.endpoints().keys()) {
    if (found.length === max) break;
    const partner = partners.byKey(key);
    if (partner !== undefined) found.push(withSettings(partners, partner, windowMs));
  }
  return found;
}

function withSettings(partners: Partners, partner: PartnerCredentials, windowMs: number): KnownPartner {
  const channelId = partners.endpoints().get(partner.key)?.channelId ?? "";
  return { ...partner, channelId, timestampWindowMs: partner.timestampWindowMs ?? windowMs };
}
