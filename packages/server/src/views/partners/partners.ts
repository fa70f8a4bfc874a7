/** Partners without their credentials. */
import { readChangedPartners } from "../../store/reference/reference-pages.ts";
import type { StatementPool } from "../../store/postgres/connect.ts";
import type { SignedPath } from "../../interfaces/notifications.ts";
import { findPartner, type PartnerRow } from "../../store/reference/reference.ts";
import type { QueryDeps } from "../query-deps.ts";

export interface PartnerSummary {
  /** `X-PARTNER-ID`. */
  readonly partnerId: string;
  readonly name: string;
  readonly status: PartnerRow["status"];
  /** `X-CLIENT-KEY`. */
  readonly clientKey: string;
  /** `CHANNEL-ID`. */
  readonly channelId: string;
  readonly signing: PartnerRow["signing"];
  /** Service codes it may call. */
  readonly services: readonly string[];
  /** Calls a second, and how many at once; undefined: no limit. */
  readonly rateLimit: PartnerRow["settings"]["rateLimit"];
  /** Where notifications are sent; undefined: they are kept. */
  readonly notificationAddress: string | undefined;
  readonly notificationSigning: PartnerRow["signing"];
  readonly notificationSignedPath: SignedPath;
}

/** All partners, sorted by id. */
export async function listPartners({ pool }: Pick<QueryDeps, "pool">): Promise<readonly PartnerSummary[]> {
  const partners: PartnerSummary[] = [];
  for await (const page of readChangedPartners(pool, 0)) partners.push(...page.map(summarizePartner));
  return partners.toSorted((a, b) => a.partnerId.localeCompare(b.partnerId));
}

function summarizePartner({
  partnerId,
  name,
  status,
  clientKey,
  channelId,
  signing,
  settings,
}: PartnerRow): PartnerSummary {
  const { services, rateLimit, notificationAddress, notificationSigning, notificationSignedPath = "whole" } = settings;
  return {
    partnerId,
    name,
    status,
    clientKey,
    channelId,
    signing,
    services,
    rateLimit,
    notificationAddress,
    notificationSigning,
    notificationSignedPath,
  };
}

/** The base URL of a partner's notifications as it is now; null where it has none, undefined: there is no such partner. */
export async function findNotificationAddress(
  { database }: { readonly database: StatementPool },
  partnerId: string,
): Promise<string | null | undefined> {
  const partner = await findPartner(database, partnerId);
  return partner && (partner.settings.notificationAddress ?? null);
}
