/**
 * Retries after a batch failed: again with fresh reads, halved, or on a new connection, until every command has an
 * outcome. Bounded everywhere by each command's deadline and by the number of tries.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { isForOperators, isOutOfResources } from "../../store/postgres/database-away.ts";
import { rollbackTransaction } from "../../store/postgres/session.ts";
import { findTableLock } from "../../store/postgres/table-locks.ts";
import type { Outcome } from "../command.ts";
import type { PipelineState, PipelineDeps } from "./pipeline-state.ts";
import { classifyFailure, codeOf } from "./error-class.ts";
import { outcomeWhenOverdue, finish, settleWhenCommitted } from "./finish.ts";
import { loadBatch } from "./batch.ts";
import { forgetAccounts } from "./account-memory.ts";
import type { Pending } from "../queue/queue.ts";

const conflictTries = 5;
const reconnectPauseMs = { min: 20, max: 500 };

/** Pause between tries of a command that waits for something that is no row. */
const lockPauseMs = 25;

interface Work {
  /** Once it was decided: without those that were given up. */
  pending: readonly Pending[];
  /** Conflicts in a row. */
  readonly tries: number;
  /** Connections lost in a row; from the second on with a pause before the next. */
  readonly losses: number;
}

function freshWork(pending: readonly Pending[]): Work {
  return { pending, tries: 0, losses: 0 };
}

export interface Failed {
  readonly pending: readonly Pending[];
  readonly error: unknown;
}

/** Runs commands in unchained batches until all are settled: those of a failed batch, then those that were never run. */
export async function recover(
  deps: PipelineDeps,
  pipelineState: PipelineState,
  failed: Failed | undefined,
  fresh: readonly Pending[],
): Promise<void> {
  const stack: Work[] = fresh.length > 0 ? [freshWork(fresh)] : [];
  if (failed) stack.push(...(await afterFailure(deps, pipelineState, freshWork(failed.pending), failed.error)));
  for (let work = stack.pop(); work; work = stack.pop()) {
    work.pending = settleOverdue(deps, work.pending);
    if (work.pending.length === 0) continue;
    pipelineState.underWay = [work, ...stack].flatMap((one) => one.pending);
    try {
      await runAlone(deps, pipelineState, work);
    } catch (error) {
      stack.push(...(await afterFailure(deps, pipelineState, work, error)));
    }
  }
  pipelineState.underWay = [];
}

async function runAlone(deps: PipelineDeps, pipelineState: PipelineState, work: Work): Promise<void> {
  if (!pipelineState.session || pipelineState.session.isLost()) {
    pipelineState.session = await reconnect(deps, pipelineState, work.pending);
    if (!pipelineState.session) return;
  }
  const { session } = pipelineState;
  try {
    const loaded = await loadBatch(
      session,
      work.pending.map((one) => one.command),
      deps.lockWaits.known(),
    );
    await settleWhenCommitted(deps, finish(deps, session, work, loaded));
  } catch (error) {
    forgetAccounts(session);
    if (classifyFailure(error) === "lost") {
      pipelineState.session = undefined;
      await session.close();
    } else {
      // Also after a failed first round trip: a later batch must not start inside this transaction.
      await rollbackTransaction(session).catch(() => undefined);
    }
    throw error;
  }
}

/** The work to run next, last first. */
async function afterFailure(
  deps: PipelineDeps,
  pipelineState: PipelineState,
  work: Work,
  error: unknown,
): Promise<Work[]> {
  const kind = classifyFailure(error);
  const { pending, tries, losses } = work;
  deps.events.failed(kind, codeOf(error));
  for (const one of pending) {
    if (kind === "lost") one.uncertain ||= one.commitSent;
    one.commitSent = false;
  }
  if (kind === "lost") {
    if (losses > 0) await sleep(Math.min(reconnectPauseMs.min * 2 ** losses, reconnectPauseMs.max));
    return [{ pending, tries, losses: losses + 1 }];
  }
  if (kind === "conflict" && tries < conflictTries) {
    await sleep(Math.ceil(2 ** tries * (1 + 4 * deps.jitter())));
    return [{ pending, tries: tries + 1, losses: 0 }];
  }
  if (kind === "unavailable") {
    // Halves of it would fail alike.
    for (const one of pending) one.settle(givenBack(one, error));
    return [];
  }
  if (kind === "lockWait") {
    const found = await learnLocked(deps, pipelineState, pending);
    // A whole table is locked, or the connection was lost over it.
    if (found === "unknown") {
      await sleep(lockPauseMs);
      return [work];
    }
    if (found === "rows") {
      // All of them again: what needs a locked row is set aside when it is decided, and nothing else waits.
      deps.queue.putBack(pending);
      return [];
    }
  }
  if (pending.length > 1) {
    const middle = pending.length >> 1;
    return [freshWork(pending.slice(middle)), freshWork(pending.slice(0, middle))];
  }
  const [alone] = pending;
  if (kind === "lockWait" && alone) return afterLockWait(deps, work, alone);
  alone?.settle(givenBack(alone, error));
  return [];
}

function givenBack({ uncertain }: Pending, error: unknown): Outcome<unknown> {
  if (uncertain) return { kind: "unknown" };
  return { kind: isOutOfResources(error) || isForOperators(error) ? "unavailable" : "failed", error };
}

async function learnLocked(
  { lockWaits, events, queue }: PipelineDeps,
  { session }: PipelineState,
  pending: readonly Pending[],
): Promise<"rows" | "none" | "unknown"> {
  if (!session || session.isLost()) return "unknown";
  const [commands = [], queued = []] = [pending, queue.list()].map((list) => list.map((one) => one.command));
  const found = await lockWaits.learn(session, commands, queued).catch(() => "unknown" as const);
  if (found === "rows") return found;
  const table = await findTableLock(session).catch(() => undefined);
  if (!table) return found;
  events.tableLocked(table);
  return "unknown";
}

/** Waits for a lock that is no row, such as a key that another transaction is inserting: it delays no others. */
async function afterLockWait({ heavy }: PipelineDeps, work: Work, alone: Pending): Promise<Work[]> {
  if (!heavy) {
    await sleep(lockPauseMs);
    return [work];
  }
  if (!heavy.offer(alone)) alone.settle(outcomeWhenOverdue(alone));
  return [];
}

/** Settles those past their deadline: unknown once a commit was sent, else overloaded. */
function settleOverdue(deps: PipelineDeps, pending: readonly Pending[]): readonly Pending[] {
  const now = deps.clock.real();
  return pending.filter((one) => {
    if (now < one.command.deadline) return true;
    one.settle(outcomeWhenOverdue(one));
    return false;
  });
}

/** A new connection, or undefined when every command's time ran out first. */
async function reconnect(deps: PipelineDeps, pipelineState: PipelineState, pending: readonly Pending[]) {
  await pipelineState.session?.close();
  for (let pause = reconnectPauseMs.min; ; pause = Math.min(pause * 2, reconnectPauseMs.max)) {
    try {
      return await deps.open();
    } catch (error) {
      deps.events.failed("lost", codeOf(error));
    }
    if (settleOverdue(deps, pending).length === 0) return undefined;
    await sleep(pause);
  }
}
