/**
 * A lane: one connection on which flights follow each other. While one commits, the next one's first trip rides
 * behind the commit in the same packet (chained), so commands queue exactly as long as a flight is in the air.
 */
import { rollbackTransaction, type Session } from "../store/session.ts";
import type { Airway, LaneDeps } from "./airway.ts";
import type { Loaded } from "./decide-flight.ts";
import { answerWhenOverdue, finish, isLate, settleWhenCommitted } from "./finish-flight.ts";
import { loadFlight } from "./flight.ts";
import type { Pending } from "./queue.ts";
import { recover } from "./recovery.ts";

interface Launched {
  /** Once it was decided: without those that were given up. */
  pending: readonly Pending[];
  readonly loaded: Promise<Loaded>;
  readonly startedAt: number;
}

/** Flies until the queue is closed and empty. Never throws: every command gets an outcome. */
export async function runLane(deps: LaneDeps, airway: Airway): Promise<void> {
  let next: Launched | undefined;
  for (;;) {
    if (!next) {
      await deps.queue.ready();
      const pending = takeDue(deps);
      if (pending.length === 0) {
        if (deps.queue.isOver()) return;
        continue;
      }
      if (!airway.session || airway.session.isLost()) {
        await recover(deps, airway, undefined, pending);
        continue;
      }
      next = launch(deps, airway.session, pending);
    }
    next = await fly(deps, airway, next);
  }
}

/** The next commands; one whose request left its time window while it queued is dropped, nothing taken. */
function takeDue(deps: LaneDeps): Pending[] {
  const now = deps.clock.real();
  return deps.queue.take(deps.limits).filter((pending) => {
    const { deadline } = pending.command;
    if (now < deadline && !isLate(pending, now)) return true;
    pending.settle(answerWhenOverdue(pending));
    return false;
  });
}

function launch(deps: LaneDeps, session: Session, pending: readonly Pending[]): Launched {
  const loaded = loadFlight(
    session,
    pending.map((one) => one.command),
    deps.lockedRows.known(),
  );
  // Awaited later; a failure meanwhile must not count as unhandled.
  loaded.catch(() => undefined);
  return { pending, loaded, startedAt: deps.clock.real() };
}

/** Brings one launched flight down and returns the one chained behind it, if any. */
async function fly(deps: LaneDeps, airway: Airway, flight: Launched): Promise<Launched | undefined> {
  const session = airway.session as Session;
  airway.flying = flight.pending;
  let chained: Launched | undefined;
  try {
    const loaded = await flight.loaded;
    const { decided, committed } = session.trip(() => {
      const result = finish(deps, session, flight, loaded);
      const pending = takeDue(deps);
      if (pending.length > 0) {
        chained = launch(deps, session, pending);
        airway.flying = [...flight.pending, ...pending];
      }
      return result;
    });
    await settleWhenCommitted(decided, committed);
    if (flight.pending.length > 0) deps.events.flown(flight.pending.length, deps.clock.real() - flight.startedAt);
    airway.flying = [];
    return chained;
  } catch (error) {
    await endTransaction(session, chained);
    await recover(deps, airway, { pending: flight.pending, error }, chained?.pending ?? []);
    return undefined;
  }
}

/**
 * Leaves no transaction open on the session: neither the failed flight's own, nor that of a flight chained behind it,
 * which is rolled back undecided; its commands have lost nothing.
 */
async function endTransaction(session: Session, chained: Launched | undefined): Promise<void> {
  await chained?.loaded.catch(() => undefined);
  if (!session.isLost()) await rollbackTransaction(session).catch(() => undefined);
}
