/**
 * A lane: one connection on which flights follow each other. While one commits, the next one's first trip rides
 * behind the commit in the same packet (chained), so commands queue exactly as long as a flight is in the air.
 */
import type { Clock, Instant } from "../clock.ts";
import { type OpenSession, rollbackTransaction, type Session } from "../store/session.ts";
import type { Context } from "./command.ts";
import { decideFlight, type Decided, type Loaded } from "./decide-flight.ts";
import { commitFlight, loadFlight } from "./flight.ts";
import type { EngineEvents } from "./events.ts";
import type { FlightLimits, Pending, Queue } from "./queue.ts";
import { answerWhenOverdue, partByLock, recover } from "./recovery.ts";
import type { Reference } from "./reference.ts";

export interface LaneDeps {
  readonly queue: Queue;
  readonly open: OpenSession;
  readonly clock: Clock;
  readonly reference: () => Reference;
  readonly limits: FlightLimits;
  readonly events: EngineEvents;
  /** A number in [0, 1) that spreads retries. */
  readonly jitter: () => number;
  readonly aside?: Aside;
}

/** Where a lane sends what waits for a row somebody else holds. */
export interface Aside {
  /** True while such rows are known: the lane then looks before it locks. */
  isBusy(): boolean;
  /** Takes the commands over and sees to their outcomes. */
  take(waiting: readonly Pending[]): void;
}

/** The connection a lane flies on; recovery replaces it when it was lost. */
export interface Airway {
  session: Session | undefined;
  /** Commands whose answer is still owed by the flight in the air. */
  flying: readonly Pending[];
  /** On a lane that others send their waiting commands to: true from then until a flight went through again. */
  waits: boolean;
}

interface Launched {
  readonly pending: readonly Pending[];
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
        if (deps.queue.isClosed() && isEmpty(deps.queue)) return;
        continue;
      }
      if (!airway.session || airway.session.isLost()) {
        await recover(deps, airway, undefined, pending);
        continue;
      }
      if (deps.aside?.isBusy()) {
        await flyAround(deps, airway, deps.aside, pending);
        continue;
      }
      next = launch(deps, airway.session, pending);
    }
    next = await fly(deps, airway, next);
  }
}

function isEmpty(queue: Queue): boolean {
  return queue.depth.callers + queue.depth.duties === 0;
}

/** While rows are held by somebody else: what would wait for them goes aside, and the rest flies unchained. */
async function flyAround(deps: LaneDeps, airway: Airway, aside: Aside, pending: readonly Pending[]): Promise<void> {
  airway.flying = pending;
  const { free, waiting } = await partByLock(airway, pending);
  aside.take(waiting);
  await recover(deps, airway, undefined, free);
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

function isLate({ command: { windowEndsAt } }: Pending, now: Instant): boolean {
  return windowEndsAt !== undefined && now > windowEndsAt;
}

function launch(deps: LaneDeps, session: Session, pending: readonly Pending[]): Launched {
  const loaded = loadFlight(
    session,
    pending.map((one) => one.command),
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
      const result = finish(deps, session, flight.pending, loaded);
      const pending = deps.aside?.isBusy() ? [] : takeDue(deps);
      if (pending.length > 0) {
        chained = launch(deps, session, pending);
        airway.flying = [...flight.pending, ...pending];
      }
      return result;
    });
    await settleWhenCommitted(flight.pending, decided, committed);
    deps.events.flown(flight.pending.length, deps.clock.real() - flight.startedAt);
    airway.flying = [];
    airway.waits = false;
    return chained;
  } catch (error) {
    await endTransaction(session, chained);
    await recover(deps, airway, { pending: flight.pending, error }, chained?.pending ?? []);
    return undefined;
  }
}

/** Decides and sends the second trip; nothing is awaited, so that the next flight can ride in the same packet. */
export function finish(
  deps: LaneDeps,
  session: Session,
  pending: readonly Pending[],
  loaded: Loaded,
): { decided: Decided; committed: Promise<boolean> } {
  const context: Context = { now: deps.clock.now(), reference: deps.reference() };
  const commands = pending.map((one) => one.command);
  const now = deps.clock.real();
  const decided = decideFlight(commands, loaded, context, {
    isAnswered: (position) => pending[position]?.settled === true,
    isLate: (position) => isLate(pending[position] as Pending, now),
  });
  for (const one of pending) one.commitSent = true;
  const committed = commitFlight(session, decided, context.now);
  committed.catch(() => undefined);
  return { decided, committed };
}

/** Answers leave only when the commit was fulfilled as a commit. */
export async function settleWhenCommitted(
  pending: readonly Pending[],
  decided: Decided,
  committed: Promise<boolean>,
): Promise<void> {
  if (!(await committed)) throw new RolledBack();
  for (let i = 0; i < pending.length; i += 1) {
    const outcome = decided.outcomes[i];
    if (outcome) pending[i]?.settle(outcome);
  }
}

/** The commit was answered as a rollback although no statement said why. */
class RolledBack extends Error {
  override readonly name = "RolledBack";
  readonly severity = "ERROR";
  readonly code = "40001";
}

/**
 * Leaves no transaction open on the session: neither the failed flight's own, nor that of a flight chained behind it,
 * which is rolled back undecided; its commands have lost nothing.
 */
async function endTransaction(session: Session, chained: Launched | undefined): Promise<void> {
  await chained?.loaded.catch(() => undefined);
  if (!session.isLost()) await rollbackTransaction(session).catch(() => undefined);
}
