/**
 * A pipeline: one connection on which batches follow each other. While one commits, the next one's first round trip rides
 * behind the commit in the same packet (chained), so commands queue exactly as long as a batch is under way.
 */
import { rollbackTransaction, type Session } from "../../store/postgres/session.ts";
import type { PipelineState, PipelineDeps } from "./pipeline-state.ts";
import type { Loaded } from "./decide.ts";
import { outcomeWhenOverdue, finish, isLate, settleWhenCommitted } from "./finish.ts";
import { loadBatch } from "./batch.ts";
import { forgetAccounts } from "./account-memory.ts";
import { isNextShort, isShort, rememberAccounts, runShortBatch } from "./short-batch.ts";
import type { Pending } from "../queue/queue.ts";
import { recover } from "./retry.ts";

interface Started {
  /** Once it was decided: without those that were given up. */
  pending: readonly Pending[];
  readonly loaded: Promise<Loaded>;
  readonly startedAt: number;
}

/** Runs until the queue is closed and empty. Never throws: every command gets an outcome. */
export async function runPipeline(deps: PipelineDeps, pipelineState: PipelineState): Promise<void> {
  let next: Started | undefined;
  for (;;) {
    if (!next) {
      await deps.queue.ready();
      let pending: readonly Pending[] = takeDue(deps);
      if (pending.length === 0) {
        if (deps.queue.isOver()) return;
        continue;
      }
      if (isShort(deps, pipelineState, pending)) pending = await runShortBatch(deps, pipelineState, pending);
      if (pending.length === 0) continue;
      if (!pipelineState.session || pipelineState.session.isLost()) {
        await recover(deps, pipelineState, undefined, pending);
        continue;
      }
      next = start(deps, pipelineState.session, pending);
    }
    next = await runBatch(deps, pipelineState, next);
  }
}

/** The next commands, without those whose time window or deadline has passed. */
function takeDue(deps: PipelineDeps): Pending[] {
  const now = deps.clock.real();
  return deps.queue.dequeue(deps.limits).filter((pending) => {
    const { deadline } = pending.command;
    if (now < deadline && !isLate(pending, now)) return true;
    pending.settle(outcomeWhenOverdue(pending));
    return false;
  });
}

function start(deps: PipelineDeps, session: Session, pending: readonly Pending[]): Started {
  const loaded = loadBatch(
    session,
    pending.map((one) => one.command),
    deps.lockWaits.known(),
  );
  // Awaited later; a failure meanwhile must not count as unhandled.
  loaded.catch(() => undefined);
  return { pending, loaded, startedAt: deps.clock.real() };
}

/** Finishes one started batch and returns the one chained behind it, if any. */
async function runBatch(
  deps: PipelineDeps,
  pipelineState: PipelineState,
  batch: Started,
): Promise<Started | undefined> {
  const session = pipelineState.session as Session;
  pipelineState.underWay = batch.pending;
  let chained: Started | undefined;
  try {
    const loaded = await batch.loaded;
    const finished = session.roundTrip(() => {
      const result = finish(deps, session, batch, loaded);
      if (isNextShort(deps, pipelineState, batch.pending, result.workingSet)) return result;
      const pending = takeDue(deps);
      if (pending.length > 0) {
        chained = start(deps, session, pending);
        pipelineState.underWay = [...batch.pending, ...pending];
      }
      return result;
    });
    await settleWhenCommitted(deps, finished);
    rememberAccounts(deps, session, batch.pending, finished.workingSet);
    if (batch.pending.length > 0) deps.events.committed(batch.pending.length, deps.clock.real() - batch.startedAt);
    pipelineState.underWay = [];
    return chained;
  } catch (error) {
    forgetAccounts(session);
    await endTransaction(session, chained);
    await recover(deps, pipelineState, { pending: batch.pending, error }, chained?.pending ?? []);
    return undefined;
  }
}

/**
 * Leaves no transaction open on the session: neither the failed batch's own, nor that of a batch chained behind it,
 * which is rolled back undecided; its commands have lost nothing.
 */
async function endTransaction(session: Session, chained: Started | undefined): Promise<void> {
  await chained?.loaded.catch(() => undefined);
  if (!session.isLost()) await rollbackTransaction(session).catch(() => undefined);
}
