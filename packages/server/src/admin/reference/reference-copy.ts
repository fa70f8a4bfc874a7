/**
 * This node's copy of the reference data: what `decide` sees of it, and what the edge authenticates partners by. It is
 * changed in place, row by row: a copy of a million merchants for each change held the process up for most of a second.
 * Rows are immutable: decisions read them without waiting, and never see half a change of one row.
 */
import { readRanges } from "../../basics/number-ranges.ts";
import {
  createDirectory,
  type Directory,
  homeAlone,
  type MovedAccount,
  type Moves,
} from "../../ledger/reference/directory.ts";
import type { CellRow } from "../../store/reference/cells.ts";
import type { PartnerCredentials } from "../../interfaces/call.ts";
import type { Clock, Instant } from "../../basics/clock.ts";
import {
  type MerchantTerms,
  merchantKeyOf,
  type PartnerTerms,
  type Reference,
  type ServiceTerms,
} from "../../ledger/reference/reference-data.ts";
import { defaultRefundDays } from "../../ledger/holds/hold.ts";
import { minor } from "../../ledger/money.ts";
import type { NotificationEndpoint } from "../../interfaces/notifications.ts";
import { type OpenedSecret, SealError, type Secrets, unknownSecret } from "../../basics/secrets.ts";
import type { CredentialRow, MerchantRow, PartnerRow } from "../../store/reference/reference.ts";
import type { EndedGrant } from "../../store/reference/reference-pages.ts";
import { defaultChannelIdLength } from "../partner-input.ts";

export interface ReferenceCopy {
  /** The same object however often the copy changes. */
  readonly reference: Reference;
  readonly byKey: ReadonlyMap<string, PartnerCredentials>;
  readonly byPartnerId: ReadonlyMap<string, PartnerCredentials>;
  readonly byClientKey: ReadonlyMap<string, PartnerCredentials>;
  /** By internal id of the partner. */
  readonly endpoints: ReadonlyMap<string, NotificationEndpoint>;
  /** Number of a partner's secrets that do not open, by its `X-PARTNER-ID`; those without are left out. */
  readonly unreadableSecrets: ReadonlyMap<string, number>;
  /** Takes in what is stored of a partner; other partners stay the same objects, and what is kept about them valid. */
  putPartner(row: PartnerRow, opened: OpenedSecrets): void;
  /** The partner without the credentials that have expired by now, from then on for all lookups. */
  dropExpired(partner: PartnerCredentials): PartnerCredentials | undefined;
  /** Times (business, epoch ms) at which credentials of partners expire. */
  expiries(): readonly Instant[];
  putMerchant(row: MerchantRow): void;
  /** Names of all switches that are closed. */
  putClosed(names: readonly string[]): void;
  putCells(rows: readonly CellRow[]): void;
  putMove(row: MovedAccount): void;
  /** True when the customer's grant has ended: then its access tokens have, too. */
  isGrantEnded(grantId: string): boolean;
  /** Also forgets those whose tokens have all expired by the given business time. */
  putEndedGrant(grant: EndedGrant, now: Instant): void;
  /** Everything up to this version is in; a row may be newer. */
  setVersion(version: number): void;
}

/** Duration of a hold where neither its merchant nor the call says: 7 days (spec D10). */
const defaultHoldSeconds = 7 * 24 * 60 * 60;

/** A partner's client secrets by their ids, or why one does not open. */
export type OpenedSecrets = ReadonlyMap<string, OpenedSecret | SealError>;

/** Called for each secret that this process cannot open; the copy continues without it. */
export type OnUnreadable = (partnerId: string, error: SealError) => void;

export interface ReferenceCopyDeps {
  readonly terms: ServiceTerms;
  readonly clock: Pick<Clock, "now">;
  readonly onUnreadable: OnUnreadable;
}

/** An empty copy, at version 0. */
export function createReferenceCopy({ terms, clock, onUnreadable }: ReferenceCopyDeps): ReferenceCopy {
  const partners = new Map<string, PartnerTerms>();
  const merchants = new Map<string, MerchantTerms>();
  const byKey = new Map<string, PartnerCredentials>();
  const byPartnerId = new Map<string, PartnerCredentials>();
  const byClientKey = new Map<string, PartnerCredentials>();
  const endpoints = new Map<string, NotificationEndpoint>();
  const unreadableSecrets = new Map<string, number>();
  // Those with a credential that expires later, by their internal ids.
  const expiring = new Map<string, { readonly row: PartnerRow; readonly opened: OpenedSecrets }>();
  // In the order in which they ended, and so in that in which their tokens expire.
  const endedGrants = new Map<string, Instant>();
  const moves = createMoves();
  const reference = { ...terms, ...nothing(), partners, merchants };
  const putPartner = (stored: PartnerRow, opened: OpenedSecrets) => {
    const row = withoutExpired(stored, clock.now());
    const secrets = secretsOf(row, opened, onUnreadable);
    const credentials = toCredentials(row, secrets);
    partners.set(row.key, toTerms(row));
    byKey.set(row.key, credentials);
    byPartnerId.set(row.partnerId, credentials);
    byClientKey.set(row.clientKey, credentials);
    endpoints.set(row.key, toEndpoint(row, secrets));
    if (credentials.unreadableSecrets === undefined) unreadableSecrets.delete(row.partnerId);
    else unreadableSecrets.set(row.partnerId, credentials.unreadableSecrets);
    if (credentials.validUntil === undefined) expiring.delete(row.key);
    else expiring.set(row.key, { row, opened });
  };
  return {
    reference,
    byKey,
    byPartnerId,
    byClientKey,
    endpoints,
    unreadableSecrets,
    putPartner,
    dropExpired({ key }) {
      const found = expiring.get(key);
      if (found) putPartner(found.row, found.opened);
      return byKey.get(key);
    },
    expiries: () => [...expiring.values()].flatMap(({ row }) => row.credentials.flatMap((one) => one.expiresAt ?? [])),
    putMerchant(row) {
      // Each of a million rows brings a text of its own: the partner's serves them all.
      const partner = partners.get(row.partner)?.key ?? row.partner;
      merchants.set(merchantKeyOf(partner, row.merchantId), toMerchantTerms({ ...row, partner }));
    },
    putClosed(names) {
      reference.closed = new Set(names);
    },
    putCells(rows) {
      reference.directory = directoryOf(rows, moves);
    },
    putMove: moves.put,
    isGrantEnded: (grantId) => endedGrants.has(grantId),
    putEndedGrant({ id, tokensExpireAt }, now) {
      endedGrants.set(id, tokensExpireAt);
      for (const [ended, expireAt] of endedGrants) {
        if (expireAt > now) break;
        endedGrants.delete(ended);
      }
    },
    setVersion(version) {
      reference.version = version;
    },
  };
}

function toTerms({ key, partnerId, status, settings: { cells } }: PartnerRow): PartnerTerms {
  return { key, partnerId, status, ...(cells && { cells }) };
}

function withoutExpired(row: PartnerRow, now: Instant): PartnerRow {
  return { ...row, credentials: row.credentials.filter(({ expiresAt }) => expiresAt === null || expiresAt > now) };
}

/** Values of the credentials of a kind, the newest first. */
function valuesOf({ credentials }: PartnerRow, kind: CredentialRow["kind"]): readonly string[] {
  return credentials.filter((one) => one.kind === kind).map(({ value }) => value);
}

/** A partner's secrets, the newest first; undefined: one that does not open here. */
type LiveSecrets = readonly (string | undefined)[];

function secretsOf({ partnerId, credentials }: PartnerRow, opened: OpenedSecrets, onUnreadable: OnUnreadable) {
  return credentials.flatMap(({ id }): LiveSecrets => {
    const found = opened.get(id);
    if (found === undefined || typeof found === "string") return found === undefined ? [] : [found];
    if (found !== unknownSecret) onUnreadable(partnerId, found);
    return [undefined];
  });
}

/** Also those that have expired: the business clock of a sandbox is moved. */
export async function openSecrets(secrets: Secrets, { key, credentials }: PartnerRow): Promise<OpenedSecrets> {
  const opened = new Map<string, OpenedSecret | SealError>();
  for (const { id, kind, value } of credentials) {
    if (kind !== "secret") continue;
    const found = await secrets.openClientSecret(value, { partner: key, credential: id }).catch((error: unknown) => {
      if (error instanceof SealError) return error;
      throw error;
    });
    opened.set(id, found);
  }
  return opened;
}

function toCredentials(row: PartnerRow, opened: LiveSecrets): PartnerCredentials {
  const { key, partnerId, clientKey, status, signing, settings } = row;
  const expiries = row.credentials.flatMap(({ expiresAt }) => expiresAt ?? []);
  const secrets = opened.filter((secret) => secret !== undefined);
  const unreadable = opened.length - secrets.length;
  return {
    key,
    partnerId,
    clientKey,
    status,
    signing,
    secrets,
    ...(unreadable > 0 && { unreadableSecrets: unreadable }),
    publicKeys: valuesOf(row, "publicKey"),
    ...(expiries.length > 0 && { validUntil: Math.min(...expiries) }),
    services: settings.services,
    addresses: settings.addresses,
    ...(settings.rateLimit !== undefined && { rateLimit: settings.rateLimit }),
    ...(settings.clientCertificates !== undefined && { clientCertificates: settings.clientCertificates }),
    ...(settings.tlsMin !== undefined && { tlsMin: settings.tlsMin }),
    acceptsMinifiedSignature: settings.acceptsMinifiedSignature,
    channelIdLengthMax: settings.channelIdLengthMax ?? defaultChannelIdLength,
    ...(settings.timestampWindowSeconds !== undefined && {
      timestampWindowMs: settings.timestampWindowSeconds * 1_000,
    }),
  };
}

function toEndpoint({ key, partnerId, channelId, settings }: PartnerRow, opened: LiveSecrets): NotificationEndpoint {
  const { notificationAddress: address, notificationSigning: signing, notificationNetworks: networks } = settings;
  const { notificationSignedPath: signedPath = "whole", notificationTlsMin: tlsMin } = settings;
  const [secret] = opened;
  const isSecretUnreadable = opened.length > 0 && secret === undefined;
  return {
    partner: key,
    partnerId,
    channelId,
    address,
    signing,
    signedPath,
    secret,
    ...(isSecretUnreadable && { isSecretUnreadable }),
    ...(networks !== undefined && { networks }),
    ...(tlsMin !== undefined && { tlsMin }),
  };
}

/** A merchant as decisions go by it: what its row leaves open has its default. */
export function toMerchantTerms(row: MerchantRow): MerchantTerms {
  const { key, partner, merchantId, settlementAccount, currency, payerAccount } = row;
  // Not the row's text, for the same reason.
  const status = row.status === "active" ? "active" : "suspended";
  const { defaultHoldAmount, customerTokenRequired = false, holdSeconds = defaultHoldSeconds } = row.settings;
  const { refundDays = defaultRefundDays } = row.settings;
  return {
    key,
    partner,
    merchantId,
    status,
    settlementAccount,
    currency,
    ...(payerAccount !== undefined && { payerAccount }),
    ...(defaultHoldAmount !== undefined && { defaultHoldAmount: minor(BigInt(defaultHoldAmount)) }),
    customerTokenRequired,
    holdMs: holdSeconds * 1_000,
    refundMs: refundDays * 86_400_000,
  };
}

function createMoves() {
  const [cells, moving] = [new Map<string, number>(), new Map<string, MovedAccount>()];
  const put = (row: MovedAccount) => {
    if (row.hasMoved) cells.set(row.accountNo, row.cell);
    if (row.movingTo === undefined) moving.delete(row.accountNo);
    else moving.set(row.accountNo, row);
  };
  return { cells, moving, put };
}

const nothing = () => ({ version: 0, closed: new Set<string>(), directory: homeAlone });

/** The clocks of nodes differ, and an id may be made before its cell was added: one of the last minute is that of its cell. */
const addedBeforeMs = 60_000;

function directoryOf(rows: readonly CellRow[], moves: Moves): Directory {
  const ranges = rows.flatMap(({ number: cell, ranges: text }) =>
    readRanges(text).map((range) => ({ cell, ...range })),
  );
  const since = rows.length === 0 ? undefined : Math.min(...rows.map(({ addedAt }) => addedAt)) - addedBeforeMs;
  return createDirectory(ranges, since, moves);
}
