/**
 * Comparison of the directory with the database, by this instance or by another one, since this instance began to look.
 * Until then nobody knows what the database has forgotten: it may have been restored to a time before, with a row that
 * says that somebody has compared. A live holder is told by what only it can do: it renews, and looks at the last
 * sequence each time.
 */
import type { LeaseState, RailRecords } from "@titian/server/rails";

export interface Comparison {
  /** Reason why nobody is known to have compared it; undefined: it was compared, and stays so. */
  because(): string | undefined;
  /** This instance has compared it. */
  done(): void;
  /** This instance could not. */
  failed(error: unknown): void;
  /** Looks at what the holder of the lease does. */
  look(): Promise<void>;
}

/** At the first one after a restore the holder sees another sequence than its last one, and gives the lease back. */
const renewalsNeeded = 2;

export function createComparison(records: Pick<RailRecords, "readLease">): Comparison {
  let isCompared = false;
  let fault: string | undefined;
  let first: LeaseState | undefined;
  let last: LeaseState | undefined;
  let renewals = 0;
  const note = (lease: LeaseState) => {
    first ??= lease;
    const isRenewed = last !== undefined && lease.fence === last.fence && lease.expiresAt > last.expiresAt;
    if (isRenewed && lease.isCompared) renewals += 1;
    last = lease;
    const isNew = lease.fence !== first.fence || !first.isCompared;
    isCompared ||= lease.isCompared && (isNew || renewals >= renewalsNeeded);
  };
  return {
    because: () => (isCompared ? undefined : (fault ?? "no node has compared it since this one was started")),
    done: () => {
      isCompared = true;
    },
    failed: (error) => {
      fault = error instanceof Error ? error.message : String(error);
    },
    look: async () => {
      if (isCompared) return;
      // A database that does not answer is looked at again.
      const lease = await records.readLease().catch(() => undefined);
      if (lease !== undefined) note(lease);
    },
  };
}
