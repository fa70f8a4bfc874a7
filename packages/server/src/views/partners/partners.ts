/** Partners without their credentials. */
import { readPartnerTerms } from "../../store/reference/reference-pages.ts";
import type { StatementPool } from "../../store/postgres/connect.ts";
import { findPartnerTerms, type PartnerTermsRow } from "../../store/reference/reference.ts";
import type { QueryDeps } from "../query-deps.ts";

/** All partners, sorted by id. */
export async function listPartners({ pool }: Pick<QueryDeps, "pool">) {
  const partners: PartnerTermsRow[] = [];
  for await (const page of readPartnerTerms(pool)) partners.push(...page);
  return partners.map(summarizePartner).toSorted((a, b) => a.partnerId.localeCompare(b.partnerId));
}

export function summarizePartner({
  partnerId,
  name,
  status,
  clientKey,
  channelId,
  signing,
  settings,
}: PartnerTermsRow) {
  const { services, rateLimit, notificationAddress, notificationSigning } = settings;
  return {
    partnerId,
    name,
    status,
    clientKey,
    channelId,
    signing,
    /** Service codes it may call. */
    services,
    /** Calls a second, and how many at once; undefined: no limit. */
    rateLimit,
    /** Where notifications are sent; undefined: they are kept. */
    notificationAddress,
    notificationSigning,
    /** Private networks that they may go to. */
    notificationNetworks: settings.notificationNetworks ?? [],
    /** Oldest TLS that they may go over. */
    notificationTlsMin: settings.notificationTlsMin ?? ("1.3" as const),
    /** SHA-256 of client certificates of which its calls need one; none: they need none. */
    clientCertificates: settings.clientCertificates ?? [],
    /** Oldest TLS that it may call over. */
    tlsMin: settings.tlsMin ?? ("1.3" as const),
    notificationSignedPath: settings.notificationSignedPath ?? ("whole" as const),
  };
}

/** The base URL of a partner's notifications as it is now; null where it has none, undefined: there is no such partner. */
export async function findNotificationAddress(
  { database }: { readonly database: StatementPool },
  partnerId: string,
): Promise<string | null | undefined> {
  const partner = await findPartnerTerms(database, partnerId);
  return partner && (partner.settings.notificationAddress ?? null);
}
