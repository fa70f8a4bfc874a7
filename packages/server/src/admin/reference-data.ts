/**
 * This node's copy of the reference data. Kept no more than 2 s behind the database (docs/operating.md); when
 * the database cannot be asked, the last copy stays in use and readiness tells.
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
  /** Milliseconds of real time since the copy was last known to be the newest. */
  ageMs(): number;
  /** Whether the copy is older than a node may work by unnoticed. */
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
  let checkedAt = clock.real();
  let isFailing = false;

  const load = async (onSealed: (partnerId: string, error: unknown) => void) => {
    const startedAt = clock.real();
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
      if (!isFailing) log.error("Reference data cannot be refreshed; the last copy stays in use.", { error });
      isFailing = true;
    },
  });
  const ageMs = () => clock.real() - checkedAt;
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
