/** The second half of a flight: decided, sent, and answered once committed. */
import type { Instant } from "../clock.ts";
import type { Session } from "../store/session.ts";
import type { LaneDeps } from "./airway.ts";
import type { Context, GivenUp, Outcome } from "./command.ts";
import { decideFlight, type Loaded } from "./decide-flight.ts";
import { commitFlight } from "./flight.ts";
import type { Pending } from "./queue.ts";

/** Commands with their outcomes, in order. */
type Decided = readonly (readonly [Pending, Outcome<unknown>])[];

/**
 * Decides and sends the second trip; nothing is awaited, so that the next flight can ride in the same packet. What was
 * given up leaves the flight: its fate does not hang on this commit.
 */
export function finish(
  deps: LaneDeps,
  session: Session,
  flight: { pending: readonly Pending[] },
  loaded: Loaded,
): { decided: Decided; committed: Promise<boolean> } {
  const context: Context = { now: deps.clock.now(), reference: deps.reference() };
  const { pending } = flight;
  const now = deps.clock.real();
  const waited = {
    isAnswered: (position: number) => pending[position]?.settled === true,
    isLate: (position: number) => isLate(pending[position] as Pending, now),
  };
  const commands = pending.map((one) => one.command);
  const result = decideFlight(commands, loaded, context, waited, deps.limits.rows);
  const decided: [Pending, Outcome<unknown>][] = [];
  const again: Pending[] = [];
  for (const [position, one] of pending.entries()) {
    const outcome = result.outcomes[position] as Outcome<unknown> | GivenUp;
    if (outcome.kind === "needs" || outcome.kind === "locked" || outcome.kind === "full") {
      if (fliesAgain(deps, one, outcome)) again.push(one);
    } else decided.push([one, outcome]);
  }
  deps.queue.putBack(again);
  flight.pending = decided.map(([one]) => one);
  for (const one of flight.pending) {
    one.commitSent = true;
    one.command.beforeCommit?.();
  }
  const committed = commitFlight(session, result, context.now);
  committed.catch(() => undefined);
  return { decided, committed };
}

/** True when it goes before all others into the next flight; false when somebody else has it now. */
function fliesAgain({ queue, lockedRows, limits, heavy }: LaneDeps, pending: Pending, why: GivenUp): boolean {
  switch (why.kind) {
    case "needs": {
      const { command } = pending;
      const accountNumbers = [...(command.locks.accountNumbers ?? []), why.accountNo];
      pending.command = { ...command, locks: { ...command.locks, accountNumbers } };
      return true;
    }
    case "locked":
      if (!lockedRows.isLocked(why.row)) return true;
      pending.lockedRow = why.row;
      queue.defer(pending);
      return false;
    case "full":
      if (why.rows <= limits.rows || !heavy) return true;
      if (!heavy.offer(pending)) pending.settle(answerWhenOverdue(pending));
      return false;
  }
}

/** "Nothing taken" only while no commit that may hold the command is in the air or was lost. */
export function answerWhenOverdue(pending: Pending): Outcome<unknown> {
  return { kind: pending.uncertain || pending.commitSent ? "unknown" : "overloaded" };
}

/** Answers leave only when the commit was fulfilled as a commit. */
export async function settleWhenCommitted(decided: Decided, committed: Promise<boolean>): Promise<void> {
  if (!(await committed)) throw new RolledBack();
  for (const [pending, outcome] of decided) pending.settle(outcome);
}

/** The commit was answered as a rollback although no statement said why. */
class RolledBack extends Error {
  override readonly name = "RolledBack";
  readonly severity = "ERROR";
  readonly code = "40001";
}

/** Whether the request's `X-TIMESTAMP` has left its window. */
export function isLate({ command: { windowEndsAt } }: Pending, now: Instant): boolean {
  return windowEndsAt !== undefined && now > windowEndsAt;
}
