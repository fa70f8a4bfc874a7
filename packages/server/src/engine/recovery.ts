/**
 * What happens after a flight failed: again with fresh reads, halved, or on a new connection, until every command
 * has an outcome. Bounded everywhere by each command's deadline and by the number of tries.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { rollbackTransaction } from "../store/session.ts";
import type { Airway, LaneDeps } from "./airway.ts";
import type { Outcome } from "./command.ts";
import { classifyFailure, codeOf } from "./failure.ts";
import { finish, settleWhenCommitted } from "./finish-flight.ts";
import { loadFlight } from "./flight.ts";
import { findStuckRows, type Parted, partByRows } from "./held-rows.ts";
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

export interface Failed {
  readonly pending: readonly Pending[];
  readonly error: unknown;
}

/** Flies commands unchained until all are settled: those of a failed flight, then those that never flew. */
export async function recover(
  deps: LaneDeps,
  airway: Airway,
  failed: Failed | undefined,
  fresh: readonly Pending[],
): Promise<void> {
  const stack: Work[] = fresh.length > 0 ? [freshWork(fresh)] : [];
  if (failed) stack.push(...(await afterFailure(deps, airway, freshWork(failed.pending), failed.error)));
  for (let work = stack.pop(); work; work = stack.pop()) {
    const due = settleOverdue(deps, work.pending);
    if (due.length === 0) continue;
    airway.flying = [work, ...stack].flatMap((one) => one.pending);
    try {
      await flyAlone(deps, airway, due);
    } catch (error) {
      stack.push(...(await afterFailure(deps, airway, { ...work, pending: due }, error)));
    }
  }
  airway.flying = [];
  airway.waits = stillWaits(deps);
}

/** On a lane that others send their waiting commands to: whether some of them still wait there. */
export function stillWaits({ aside, queue }: LaneDeps): boolean {
  return aside === undefined && queue.depth.callers + queue.depth.duties > 0;
}

async function flyAlone(deps: LaneDeps, airway: Airway, pending: readonly Pending[]): Promise<void> {
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
    if (classifyFailure(error) === "lost") {
      airway.session = undefined;
      await session.close();
    } else {
      // Also after a failed first trip: a later flight must not start inside this transaction.
      await rollbackTransaction(session).catch(() => undefined);
    }
    throw error;
  }
}

/** What to fly next; the last of the list flies first. */
async function afterFailure(deps: LaneDeps, airway: Airway, work: Work, error: unknown): Promise<Work[]> {
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
  if (kind === "lockWait") {
    await learnStuck(deps, airway, pending);
    const { free, waiting } = await partByStuck(airway, pending);
    if (waiting.length > 0) return afterLockWait(deps, work, free, waiting);
  }
  if (pending.length > 1) {
    const middle = pending.length >> 1;
    return [freshWork(pending.slice(middle)), freshWork(pending.slice(0, middle))];
  }
  if (kind === "lockWait") return afterLockWait(deps, work, [], pending);
  const [alone] = pending;
  alone?.settle(alone.uncertain ? { kind: "unknown" } : { kind: "failed", error });
  return [];
}

/** Adds what these commands wait for to the rows known to be held for long; what nobody waits for any more is forgotten. */
async function learnStuck(deps: LaneDeps, airway: Airway, pending: readonly Pending[]): Promise<void> {
  const { session } = airway;
  if (!session || session.isLost()) return;
  const known = deps.aside?.isBusy() ? airway.stuck : [];
  airway.stuck = new Set([...known, ...(await findStuckRows(session, pending).catch(() => []))]);
}

/** Who would wait for a row that is held for long, and who would not. */
export async function partByStuck({ session, stuck }: Airway, pending: readonly Pending[]): Promise<Parted> {
  const all = { free: pending, waiting: [] };
  if (!session || session.isLost()) return all;
  return partByRows(session, pending, stuck).catch(() => all);
}

/**
 * What waits goes aside, so that nothing else waits with it. The lane it goes to queues it again, behind what has come
 * meanwhile; once that lane is closing, it flies after all others.
 */
function afterLockWait(deps: LaneDeps, work: Work, free: readonly Pending[], waiting: readonly Pending[]): Work[] {
  const fly = free.length > 0 ? [freshWork(free)] : [];
  if (deps.aside) {
    deps.aside.take(waiting);
    return fly;
  }
  const left = waiting.filter((one) => !deps.queue.offer(one));
  return left.length > 0 ? [{ ...work, pending: left }, ...fly] : fly;
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
