/** Faults of a database that answers and does not do what it is asked for: for the log, `/health/ready` and metrics. */
import type { Clock } from "../../basics/clock.ts";
import { limitRate } from "../../observability/limit-rate.ts";
import type { Log } from "../../observability/log.ts";
import type { Metrics } from "../../observability/metrics.ts";
import { isOutOfResources } from "../../store/postgres/database-away.ts";
import type { TableLock } from "../../store/postgres/table-locks.ts";

export interface DatabaseFaults {
  /** A command or a read was given back because of this error. */
  readonly unavailable: (error: unknown) => void;
  readonly tableLocked: (lock: TableLock) => void;
  /** A commit went through. */
  cleared(): void;
  /** Fault that keeps this node from serving. */
  current(): { readonly unavailable: string | null; readonly lockedTable: TableLock | null };
}

interface Deps {
  readonly clock: Pick<Clock, "monotonic" | "real">;
  readonly metrics: Metrics;
  readonly log: Log;
}

/** Time for which a fault stands after it was met last. Nobody calls a node that is not ready: it must try again. */
const standsMs = 10_000;
/** A locked table is met again and again while a command waits for it. */
const lockStandsMs = 2_000;

export function createDatabaseFaults({ clock, metrics, log }: Deps): DatabaseFaults {
  let fault: { readonly reason: string; readonly at: number } | undefined;
  let locked: { readonly lock: TableLock; readonly at: number } | undefined;
  let givenBack = 0;
  const help = "Commands and reads answered 503xx00 because PostgreSQL could not carry them out.";
  metrics.counter({ name: "titian_database_unavailable_total", help }, () => givenBack);
  const warnUnavailable = limitRate(clock, (count, error: unknown) =>
    log.warn("database.unavailable", "The database cannot carry out what is asked of it.", { count, error }),
  );
  const warnLocked = limitRate(clock, (_count, { table, processId, user, since }: TableLock) =>
    log.warn("database.table_locked", "A session has locked a table; commands wait for it.", {
      table,
      processId,
      user,
      since,
    }),
  );
  const isYoung = (found: { readonly at: number } | undefined, ms: number) =>
    found !== undefined && clock.monotonic() - found.at < ms;
  return {
    unavailable: (error) => {
      givenBack += 1;
      if (isOutOfResources(error)) fault = { reason: reasonOf(error), at: clock.monotonic() };
      warnUnavailable(error);
    },
    tableLocked: (found) => {
      const isSame = locked?.lock.processId === found.processId && isYoung(locked, lockStandsMs);
      // Where its transaction's begin is hidden from the service's role: since when it is in our way.
      const since = found.since ?? (isSame ? locked?.lock.since : new Date(clock.real()).toISOString());
      locked = { lock: { ...found, since }, at: clock.monotonic() };
      warnLocked(locked.lock);
    },
    cleared: () => {
      fault = undefined;
      locked = undefined;
    },
    current: () => ({
      unavailable: isYoung(fault, standsMs) ? (fault?.reason ?? null) : null,
      lockedTable: isYoung(locked, lockStandsMs) ? (locked?.lock ?? null) : null,
    }),
  };
}

function reasonOf(error: unknown): string {
  const { code, message } = error as Error & { readonly code?: string };
  return `${code} ${message}`;
}
