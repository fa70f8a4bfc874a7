/**
 * This node's copy of the reference data. Kept no more than 2 s behind the database (docs/guides/operating.md). When
 * the database cannot be asked for 10 s, the copy is stale: the edge answers 503xx00, since a partner may be suspended by now. With
 * several cells it is that later, since the failure of home's database shall stop no other.
 */
import type { PartnerCredentials } from "../../interfaces/call.ts";
import type { Clock } from "../../basics/clock.ts";
import type { Reference, ServiceTerms } from "../../ledger/reference/reference-data.ts";
import type { Log } from "../../observability/log.ts";
import type { NotificationEndpoint } from "../../interfaces/notifications.ts";
import type { SealError, Secrets } from "../../basics/secrets.ts";
import type { StatementPool } from "../../store/postgres/connect.ts";
import { readReferenceVersion } from "../../store/reference/reference.ts";
import {
  readChangedMerchants,
  readChangedMoves,
  readChangedPartners,
  readEndedGrants,
} from "../../store/reference/reference-pages.ts";
import { readCellRows } from "../../store/reference/cells.ts";
import { readClosedSwitches } from "../../store/reference/switches.ts";
import { startPolling } from "../../jobs/polling.ts";
import { createReferenceCopy, openSecrets, type OnUnreadable, type ReferenceCopy } from "./reference-copy.ts";
import { checkMasterKey } from "./check-master-key.ts";

export interface ReferenceData {
  current(): Reference;
  byKey(key: string): PartnerCredentials | undefined;
  byPartnerId(partnerId: string): PartnerCredentials | undefined;
  byClientKey(clientKey: string): PartnerCredentials | undefined;
  /** Addresses and keys by which partners are notified, by internal id. */
  endpoints(): ReadonlyMap<string, NotificationEndpoint>;
  /**
   * Number of a partner's secrets that do not open, by its `X-PARTNER-ID`: a signature with one of them is rejected.
   */
  unreadableSecrets(): ReadonlyMap<string, number>;
  /** Number of credentials that expire within that time, from now on. */
  expiringCredentials(withinMs: number): number;
  /** True when the customer's grant ended before its access tokens expired. */
  isGrantEnded(grantId: string): boolean;
  /** Reads at once what changed; resolves when this node works by it. */
  refresh(): Promise<void>;
  /** Milliseconds since the copy was last known to be the newest; corrections of the system's time do not change it. */
  ageMs(): number;
  /** True when the copy is too old to let anybody in by. */
  isStale(): boolean;
  close(): Promise<void>;
}

export interface ReferenceDataOptions {
  readonly reads: StatementPool;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly log: Log;
  readonly terms: ServiceTerms;
  /** True: merchants are copied too; a program that serves no calls does without them. Absent: true. */
  readonly merchants?: boolean;
  /** Age (ms) at which the copy lets nobody in any more. Absent: 10 s. */
  readonly staleAfterMs?: number;
  /** Told of what takes over a second. */
  readonly onProgress?: (text: string) => void;
}

/** Half of the 2 s that a change may take to arrive: the other half is for asking. */
const pollMs = 1_000;
const staleAfterDefaultMs = 10_000;

/**
 * Reads everything once, then keeps it up to date. A secret that does not open is logged, and its partner stays without it.
 * @throws SealError when none opens at start: then the master key is the wrong one.
 */
export async function createReferenceData(options: ReferenceDataOptions): Promise<ReferenceData> {
  const { reads, clock, log, staleAfterMs = staleAfterDefaultMs } = options;
  const unreadableAtStart: SealError[] = [];
  const logUnreadable = logTo(log);
  let onUnreadable: OnUnreadable = (partner, error) => {
    unreadableAtStart.push(error);
    logUnreadable(partner, error);
  };
  const emptyCopy = () =>
    createReferenceCopy({
      terms: options.terms,
      clock,
      onUnreadable: (partner, error) => onUnreadable(partner, error),
    });
  let copy = emptyCopy();
  let checkedAt = clock.monotonic();
  let isFailing = false;

  const load = async () => {
    const startedAt = clock.monotonic();
    const version = await readReferenceVersion(reads);
    if (version !== copy.reference.version) {
      // An older version is a database brought back from a copy: nothing known of it can be trusted.
      const next = version < copy.reference.version ? emptyCopy() : copy;
      await readChanges(options, next);
      next.setVersion(version);
      copy = next;
    }
    checkedAt = startedAt;
    isFailing = false;
  };

  await load();
  checkMasterKey(copy.byKey.values(), unreadableAtStart);
  onUnreadable = logUnreadable;
  // The load itself comes next: a change while all was read, and the copy's age, count from here, since a million
  // merchants take seconds.
  await load();
  const polling = startPolling({
    everyMs: pollMs,
    work: load,
    onError: (error) => {
      const message = `Reference data cannot be refreshed; after ${staleAfterMs / 1_000} s, calls are answered 503xx00.`;
      if (!isFailing) log.error("reference_data.refresh_failed", message, { error });
      isFailing = true;
    },
  });
  const ageMs = () => clock.monotonic() - checkedAt;
  /** With the credentials that are good at this moment. */
  const now = (partner: PartnerCredentials | undefined) =>
    partner?.validUntil !== undefined && clock.now() >= partner.validUntil ? copy.dropExpired(partner) : partner;
  return {
    current: () => copy.reference,
    byKey: (key) => now(copy.byKey.get(key)),
    byPartnerId: (partnerId) => now(copy.byPartnerId.get(partnerId)),
    byClientKey: (clientKey) => now(copy.byClientKey.get(clientKey)),
    expiringCredentials: (withinMs) => {
      const from = clock.now();
      return copy.expiries().filter((at) => at > from && at <= from + withinMs).length;
    },
    endpoints: () => copy.endpoints,
    unreadableSecrets: () => copy.unreadableSecrets,
    isGrantEnded: (grantId) => copy.isGrantEnded(grantId),
    refresh: () => polling.run(),
    ageMs,
    isStale: () => ageMs() > staleAfterMs,
    close: () => polling.close(),
  };
}

const logTo =
  (log: Log): OnUnreadable =>
  (partner, error) => {
    const message =
      "A client secret of the partner cannot be decrypted: calls signed with it are answered 503xx00. Register it again (titian partner secret add), or give the master key that sealed it.";
    log.error("partner.secret_unreadable", message, { partner, error });
  };

/** Takes what changed after the copy's version into it. */
async function readChanges(options: ReferenceDataOptions, copy: ReferenceCopy): Promise<void> {
  const { reads, secrets, clock, onProgress = () => undefined } = options;
  const since = copy.reference.version;
  const tell = tellEachSecond(clock, onProgress);
  copy.putClosed((await readClosedSwitches(reads)).map(({ name }) => name));
  copy.putCells(await readCellRows(reads));
  for await (const page of readChangedMoves(reads, since)) {
    for (const row of page) copy.putMove(row);
  }
  for await (const page of readChangedPartners(reads, since)) {
    const opened = await Promise.all(page.map((row) => openSecrets(secrets, row)));
    page.forEach((row, index) => copy.putPartner(row, opened[index] ?? new Map()));
    tell(`Reading partners: ${copy.byKey.size}`);
  }
  for await (const page of readEndedGrants(reads, since)) {
    for (const grant of page) copy.putEndedGrant(grant, clock.now());
  }
  if (options.merchants === false) return;
  for await (const page of readChangedMerchants(reads, since)) {
    for (const row of page) copy.putMerchant(row);
    tell(`Reading merchants: ${copy.reference.merchants.size}`);
  }
}

/** Passes a text on when a second has gone by since the start, or since the last one. */
function tellEachSecond(clock: Clock, onProgress: (text: string) => void): (text: string) => void {
  let toldAt = clock.monotonic();
  return (text) => {
    if (clock.monotonic() - toldAt < 1_000) return;
    toldAt = clock.monotonic();
    onProgress(text);
  };
}
