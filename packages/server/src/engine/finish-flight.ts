/** The second half of a flight: decided, sent, and answered once committed. */
import type { Instant } from "../clock.ts";
import type { Session } from "../store/session.ts";
import type { LaneDeps } from "./airway.ts";
import type { Context } from "./command.ts";
import { type Decided, decideFlight, type Loaded } from "./decide-flight.ts";
import { commitFlight } from "./flight.ts";
import type { Pending } from "./queue.ts";

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
  for (const one of pending) {
    one.commitSent = true;
    one.command.beforeCommit?.();
  }
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

/** Whether the request's `X-TIMESTAMP` has left its window. */
export function isLate({ command: { windowEndsAt } }: Pending, now: Instant): boolean {
  return windowEndsAt !== undefined && now > windowEndsAt;
}
