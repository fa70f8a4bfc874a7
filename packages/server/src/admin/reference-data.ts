/**
 * This node's copy of the reference data. Kept no more than 2 s behind the database (docs/operating.md). When
 * the database cannot be asked for 10 s, the copy is stale: the edge answers 503xx00, since a partner may be suspended by now.
 */
import type { PartnerCredentials } from "../call.ts";
import type { Clock } from "../clock.ts";
import type { Reference, ServiceTerms } from "../engine/reference.ts";
import type { Log } from "../log.ts";
import type { Secrets } from "../secrets.ts";
import type { StatementPool } from "../store/connect.ts";
import { readReferenceChanges, readReferenceVersion } from "../store/reference.ts";
import { startPolling } from "./polling.ts";
import { applyChanges, emptyCopy } from "./reference-copy.ts";

export interface ReferenceData {
  current(): Reference;
  byKey(key: string): PartnerCredentials | undefined;
  byPartnerId(partnerId: string): PartnerCredentials | undefined;
  byClientKey(clientKey: string): PartnerCredentials | undefined;
  /** Reads at once what changed; resolves when this node works by it. */
  refresh(): Promise<void>;
  /** Milliseconds since the copy was last known to be the newest; corrections of the system's time do not change it. */
  ageMs(): number;
  /** Whether the copy is older than 10 s: too old to let anybody in by. */
  isStale(): boolean;
  close(): Promise<void>;
}

export interface ReferenceDataOptions {
  readonly reads: StatementPool;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly log: Log;
  readonly terms: ServiceTerms;
}

/** Half of the 2 s that a change may take to arrive: the other half is for asking. */
const pollMs = 1_000;
const staleAfterMs = 10_000;

/**
 * Reads everything once, then keeps it up to date.
 * @throws SealError when a partner's secret cannot be opened at start: then the master key is the wrong one.
 */
export async function createReferenceData(options: ReferenceDataOptions): Promise<ReferenceData> {
  const { reads, secrets, clock, log } = options;
  let copy = emptyCopy(options.terms);
  let checkedAt = clock.monotonic();
  let isFailing = false;

  const load = async (onSealed: (partnerId: string, error: unknown) => void) => {
    const startedAt = clock.monotonic();
    const version = await readReferenceVersion(reads);
    if (version !== copy.reference.version) {
      // An older version is a database brought back from a copy: nothing known of it can be trusted.
      const base = version < copy.reference.version ? emptyCopy(options.terms) : copy;
      const changes = await readReferenceChanges(reads, base.reference.version);
      copy = applyChanges(base, changes, secrets, onSealed);
    }
    checkedAt = startedAt;
    isFailing = false;
  };

  await load((_partnerId, error) => {
    throw error;
  });
  const polling = startPolling({
    everyMs: pollMs,
    work: () =>
      load((partner, error) => log.error("A client secret cannot be opened; it is not accepted.", { partner, error })),
    onError: (error) => {
      if (!isFailing)
        log.error("Reference data cannot be refreshed; once it is 10 s old, calls are answered 503xx00.", { error });
      isFailing = true;
    },
  });
  const ageMs = () => clock.monotonic() - checkedAt;
  return {
    current: () => copy.reference,
    byKey: (key) => copy.byKey.get(key),
    byPartnerId: (partnerId) => copy.byPartnerId.get(partnerId),
    byClientKey: (clientKey) => copy.byClientKey.get(clientKey),
    refresh: () => polling.run(),
    ageMs,
    isStale: () => ageMs() > staleAfterMs,
    close: () => polling.close(),
  };
}
