/** The second half of a batch: decided, sent, and answered once committed. */
import { type Instant, type Moment, momentOf } from "../../basics/clock.ts";
import type { Session } from "../../store/postgres/session.ts";
import type { PipelineDeps } from "./pipeline-state.ts";
import type { ConfirmedCommit, Context, GivenUp, Outcome, Unconfirmed } from "../command.ts";
import type { PendingOutcomes } from "./outcome-queue.ts";
import { type BatchDecision, decideBatch, type Loaded } from "./decide.ts";
import { commitBatch } from "./batch.ts";
import type { Pending } from "../queue/queue.ts";

/** A batch whose commit is under way. */
interface Finished {
  readonly decided: PendingOutcomes<Unconfirmed<unknown>>;
  /** Those that it stores. */
  readonly rejections: BatchDecision["rejections"];
  readonly workingSet: BatchDecision["workingSet"];
  readonly committed: Promise<ConfirmedCommit | undefined>;
}

/**
 * Decides and sends the second round trip; nothing is awaited, so that the next batch can leave in the same packet.
 * Commands that were given up leave the batch.
 */
export function finish(
  deps: PipelineDeps,
  session: Session,
  batch: { pending: readonly Pending[] },
  loaded: Loaded,
): Finished {
  const context: Context = { now: deps.clock.now(), reference: deps.reference() };
  const { pending } = batch;
  const now = deps.clock.real();
  const waited = {
    isAnswered: (position: number) => pending[position]?.settled === true,
    isLate: (position: number) => isLate(pending[position] as Pending, now),
  };
  const commands = pending.map((one) => one.command);
  const result = decideBatch(commands, loaded, context, waited, deps.limits.rows);
  const decided: [Pending, Unconfirmed<unknown>][] = [];
  const again: Pending[] = [];
  for (const [position, one] of pending.entries()) {
    const outcome = result.outcomes[position] as Unconfirmed<unknown> | GivenUp;
    if (outcome.kind === "missingLock" || outcome.kind === "locked" || outcome.kind === "full") {
      if (isRetried(deps, one, outcome)) again.push(one);
    } else decided.push([one, outcome]);
  }
  deps.queue.putBack(again);
  batch.pending = decided.map(([one]) => one);
  const sentAt = momentOf(deps.clock);
  markSent(batch.pending, sentAt);
  const committed = commitBatch(session, result, context.now, sentAt);
  committed.catch(() => undefined);
  return { decided, rejections: result.rejections, workingSet: result.workingSet, committed };
}

/** Their commit is sent now. */
export function markSent(pending: readonly Pending[], sentAt: Moment): void {
  for (const one of pending) {
    one.commitSent = true;
    one.sentAt ??= sentAt;
  }
}

/** True when it goes first into the next batch; false when it was deferred, moved or settled. */
function isRetried({ queue, lockWaits, limits, heavy }: PipelineDeps, pending: Pending, why: GivenUp): boolean {
  switch (why.kind) {
    case "missingLock": {
      const { command } = pending;
      const accountNumbers = [...(command.locks.accountNumbers ?? []), why.accountNo];
      pending.command = { ...command, locks: { ...command.locks, accountNumbers } };
      return true;
    }
    case "locked":
      if (!lockWaits.isLocked(why.row)) return true;
      pending.lockedRow = why.row;
      queue.defer(pending);
      return false;
    case "full":
      if (why.rows <= limits.rows || !heavy) return true;
      if (!heavy.offer(pending)) pending.settle(outcomeWhenOverdue(pending));
      return false;
  }
}

/** "overloaded" only while no commit that may contain the command is under way or was lost. */
export function outcomeWhenOverdue(pending: Pending): Outcome<unknown> {
  return { kind: pending.uncertain || pending.commitSent ? "unknown" : "overloaded" };
}

/** Outcomes leave only when the commit was fulfilled as a commit. */
export async function settleWhenCommitted(deps: PipelineDeps, finished: Finished): Promise<void> {
  settleCommitted(deps, finished, await finished.committed);
}

/** @throws RolledBack where there is no commit. */
export function settleCommitted(
  { outcomeQueue, events }: PipelineDeps,
  { decided, rejections }: Pick<Finished, "decided" | "rejections">,
  commit: ConfirmedCommit | undefined,
): void {
  if (!commit) throw new RolledBack();
  for (const { partner } of rejections) events.rejectionStored(partner);
  outcomeQueue.enqueue(decided.map(([pending, outcome]) => [pending, withProof(outcome, commit, pending)]));
}

function withProof(outcome: Unconfirmed<unknown>, commit: ConfirmedCommit, { sentAt }: Pending): Outcome<unknown> {
  if (outcome.kind !== "effect") return outcome;
  return { ...outcome, commit: sentAt ? commit.since(sentAt) : commit };
}

/** The commit ended as a rollback although no statement failed. */
class RolledBack extends Error {
  override readonly name = "RolledBack";
  readonly severity = "ERROR";
  readonly code = "40001";
}

/** True when the request's `X-TIMESTAMP` has left its window. */
export function isLate({ command: { windowEndsAt } }: Pending, now: Instant): boolean {
  return windowEndsAt !== undefined && now > windowEndsAt;
}
