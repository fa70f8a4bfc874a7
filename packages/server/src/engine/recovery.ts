/**
 * What happens after a flight failed: again with fresh reads, halved, or on a new connection, until every command
 * has an outcome. Bounded everywhere by each command's deadline and by the number of tries.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { rollbackTransaction } from "../store/session.ts";
import type { Outcome } from "./command.ts";
import { classifyFailure, codeOf } from "./failure.ts";
import { loadFlight } from "./flight.ts";
import { type Airway, finish, type LaneDeps, settleWhenCommitted } from "./lane.ts";
import type { Pending } from "./queue.ts";

const conflictTries = 5;
const reconnectPauseMs = { least: 20, most: 500 };

interface Work {
  readonly pending: readonly Pending[];
  /** Conflicts in a row. */
  readonly tries: number;
  /** Connections lost in a row; from the second on with a pause before the next. */
  readonly losses: number;
}

function freshWork(pending: readonly Pending[]): Work {
  return { pending, tries: 0, losses: 0 };
}

/** Flies the given commands unchained until all are settled. `error` is what their flight failed with, if it flew. */
export async function recover(
  deps: LaneDeps,
  airway: Airway,
  pending: readonly Pending[],
  error?: unknown,
): Promise<void> {
  const stack: Work[] =
    error === undefined ? [freshWork(pending)] : await afterFailure(deps, freshWork(pending), error);
  for (let work = stack.pop(); work; work = stack.pop()) {
    const due = settleOverdue(deps, work.pending);
    if (due.length === 0) continue;
    try {
      await flyAlone(deps, airway, due);
    } catch (failure) {
      stack.push(...(await afterFailure(deps, { ...work, pending: due }, failure)));
    }
  }
}

async function flyAlone(deps: LaneDeps, airway: Airway, pending: readonly Pending[]): Promise<void> {
  airway.flying = pending;
  if (!airway.session || airway.session.isLost()) {
    airway.session = await reconnect(deps, airway, pending);
    if (!airway.session) return;
  }
  const { session } = airway;
  try {
    const loaded = await loadFlight(
      session,
      pending.map((one) => one.command),
    );
    const { decided, committed } = finish(deps, session, pending, loaded);
    await settleWhenCommitted(pending, decided, committed);
  } catch (error) {
    // Also after a failed first trip: a later flight must not start inside this transaction.
    if (!session.isLost()) await rollbackTransaction(session).catch(() => undefined);
    if (classifyFailure(error) === "lost") {
      airway.session = undefined;
      await session.close();
    }
    throw error;
  }
}

/** What to fly next; the last of the list flies first. */
async function afterFailure(deps: LaneDeps, work: Work, error: unknown): Promise<Work[]> {
  const kind = classifyFailure(error);
  const { pending, tries, losses } = work;
  deps.events.failed(kind, codeOf(error), pending.length);
  for (const one of pending) {
    if (kind === "lost") one.uncertain ||= one.commitSent;
    one.commitSent = false;
  }
  if (kind === "lost") {
    if (losses > 0) await sleep(Math.min(reconnectPauseMs.least * 2 ** losses, reconnectPauseMs.most));
    return [{ pending, tries, losses: losses + 1 }];
  }
  if (kind === "conflict" && tries < conflictTries) {
    await sleep(Math.ceil(2 ** tries * (1 + 4 * deps.jitter())));
    return [{ pending, tries: tries + 1, losses: 0 }];
  }
  if (pending.length > 1) {
    const middle = pending.length >> 1;
    return [freshWork(pending.slice(middle)), freshWork(pending.slice(0, middle))];
  }
  if (kind === "lockWait") return [work];
  const [alone] = pending;
  alone?.settle(alone.uncertain ? { kind: "unknown" } : { kind: "failed", error });
  return [];
}

/** Those whose caller stops waiting get their answer: unknown once a commit was sent, else nothing taken. */
function settleOverdue(deps: LaneDeps, pending: readonly Pending[]): readonly Pending[] {
  const now = deps.clock.real();
  return pending.filter((one) => {
    if (now < one.command.deadline) return true;
    one.settle(answerWhenOverdue(one));
    return false;
  });
}

/** "Nothing taken" only while no commit that may hold the command is in the air or was lost. */
export function answerWhenOverdue(pending: Pending): Outcome<unknown> {
  return { kind: pending.uncertain || pending.commitSent ? "unknown" : "overloaded" };
}

/** A new connection, or undefined when every command's time ran out first. */
async function reconnect(deps: LaneDeps, airway: Airway, pending: readonly Pending[]) {
  await airway.session?.close();
  for (let pause = reconnectPauseMs.least; ; pause = Math.min(pause * 2, reconnectPauseMs.most)) {
    try {
      return await deps.open();
    } catch (error) {
      deps.events.failed("lost", codeOf(error), 0);
    }
    if (settleOverdue(deps, pending).length === 0) return undefined;
    await sleep(pause);
  }
}
