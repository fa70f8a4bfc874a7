/**
 * Short batches: a few commands are decided from remembered accounts and written in one round trip, in which PostgreSQL first
 * compares each account with what is remembered. Only acceptances are decided so; whatever is not one, or has changed
 * meanwhile, is loaded and decided like any other batch. It is answered when its commit is, like any other.
 */
import { type Moment, momentOf } from "../../basics/clock.ts";
import { beginTransaction, rollbackTransaction, type Session } from "../../store/postgres/session.ts";
import { insertOutbox } from "../../store/tables/notifications/outbox.ts";
import type { BehindShortBatch } from "../../store/tables/requests/short-batch.ts";
import {
  behindShortBatch,
  type ShortBatchResult,
  writeShortBatch,
} from "../../store/tables/requests/write-short-batch.ts";
import type { Command, Unconfirmed } from "../command.ts";
import type { Pending } from "../queue/queue.ts";
import type { RememberedAccount } from "../rows/accounts.ts";
import { namesOnlyAccounts, onlyAccounts } from "../rows/lock-order.ts";
import type { WorkingSet } from "../rows/working-set.ts";
import { type AccountMemory, forgetAccounts, memoryOf } from "./account-memory.ts";
import { allOrFirstError, noRejections, noWrites, sendsOf } from "./batch.ts";
import { type BatchDecision, decideBatch } from "./decide.ts";
import { classifyFailure, codeOf } from "./error-class.ts";
import { isLate, markSent, settleCommitted } from "./finish.ts";
import type { PipelineDeps, PipelineState } from "./pipeline-state.ts";
import { recover } from "./retry.ts";

/** Beyond, a batch costs less when it is loaded. */
const shortBatchMax = 8;

/** A decision that reaches for accounts of ours which its command did not declare is made again with them, so often. */
const decisionsMax = 4;
/** A batch whose memory was wrong is tried again from the accounts that PostgreSQL answered. */
const tries = 2;

interface Decided {
  readonly read: readonly RememberedAccount[];
  readonly batch: BatchDecision;
  /** Business time, ISO 8601. */
  readonly at: string;
  readonly behind: readonly BehindShortBatch[];
}

/** Settles the commands in one round trip, where they can be. Answers those that are left, with nothing of them written. */
export async function runShortBatch(
  deps: PipelineDeps,
  state: PipelineState,
  pending: readonly Pending[],
): Promise<readonly Pending[]> {
  const session = state.session as Session;
  const memory = memoryOf(session, deps.clock);
  for (let attempt = 0; attempt < tries; attempt += 1) {
    // The commit of the first try may have waited for long.
    if (attempt > 0 && pending.some((one) => isOverdue(deps, one))) return pending;
    const decided = decideFromMemory(deps, memory, pending);
    if (!decided) return pending;
    const sentAt = momentOf(deps.clock);
    state.underWay = pending;
    const result = await write(deps, session, pending, decided, sentAt).catch((error: unknown) => error as Error);
    if (result instanceof Error) return afterError(deps, state, pending, result);
    state.underWay = [];
    if (result.kind === "written") {
      remember(decided.batch.workingSet, result.xmin, memory.refresh, momentOf(deps.clock));
      if (attempt === 0) memory.confirm(decided.read);
      return [];
    }
    if (result.kind === "changed") memory.correct(result.found);
    markNotSent(pending, sentAt);
    if (result.kind !== "changed") return pending;
  }
  return pending;
}

/** True when it is answered, or may not be accepted any more. */
function isOverdue({ clock }: PipelineDeps, pending: Pending): boolean {
  const now = clock.real();
  return pending.settled || now >= pending.command.deadline || isLate(pending, now);
}

/** A commit sent at that moment had nothing of them. */
function markNotSent(pending: readonly Pending[], sentAt?: Moment): void {
  for (const one of pending) {
    one.commitSent = false;
    if (one.sentAt === sentAt) delete one.sentAt;
  }
}

/** True when the commands may be decided from memory. */
export function isShort(deps: PipelineDeps, { session }: PipelineState, pending: readonly Pending[]): boolean {
  if (pending.length > shortBatchMax || !session || session.isLost()) return false;
  return deps.lockWaits.known().names.size === 0 && !memoryOf(session, deps.clock).isUnreliable();
}

/**
 * True when those that wait are better not loaded behind the commit of this batch: once it is committed, they can be decided
 * from memory, of which its own accounts are then a part.
 */
export function isNextShort(
  deps: PipelineDeps,
  state: PipelineState,
  pending: readonly Pending[],
  { rows: { accounts } }: WorkingSet,
): boolean {
  const { requests, jobs } = deps.queue.depth;
  // Callers of this batch call again once it is committed: with them, too, the next one must be short.
  if (pending.length + requests + jobs > shortBatchMax) return false;
  const waiting = deps.queue.list();
  if (!isShort(deps, state, waiting)) return false;
  const memory = memoryOf(state.session as Session, deps.clock);
  const isKnown = (name: string) => memory.find(name) ?? accounts.byNumber(name) ?? accounts.byId(name);
  return waiting.every(({ command }) => namesOf(command)?.every(isKnown));
}

/** After a batch that was loaded: its accounts as its commit left them. Those of a long one, where they are remembered. */
export function rememberAccounts(
  { clock }: PipelineDeps,
  session: Session,
  pending: readonly Pending[],
  workingSet: WorkingSet,
): void {
  const memory = memoryOf(session, clock);
  const keep = pending.length <= shortBatchMax ? memory.keep : memory.refresh;
  remember(workingSet, workingSet.rows.accounts.writer, keep, momentOf(clock));
}

function remember(
  { rows: { accounts } }: WorkingSet,
  writer: string | undefined,
  keep: AccountMemory["keep"],
  at: Moment,
): void {
  accounts.eachCommitted(writer, (account, xmin) => keep(account, xmin, at));
}

/** Numbers and ids of the accounts that a command names; undefined: it names other rows, or is no caller's request. */
function namesOf({ keys, locks }: Command<unknown>): readonly string[] | undefined {
  if (!keys || !namesOnlyAccounts(locks)) return undefined;
  return [...(locks.accountNumbers ?? []), ...(locks.accountIds ?? [])];
}

/** The accounts that the commands name, in the order of their ids; undefined: one is not remembered. */
function find(memory: AccountMemory, commands: readonly Command<unknown>[]): readonly RememberedAccount[] | undefined {
  const found = new Map<string, RememberedAccount>();
  for (const command of commands) {
    const names = namesOf(command);
    if (!names) return undefined;
    for (const name of names) {
      const one = memory.find(name);
      if (!one) return undefined;
      found.set(one.account.id, one);
    }
  }
  return [...found.values()].sort((a, b) => (a.account.id < b.account.id ? -1 : 1));
}

/** Undefined: they cannot be decided from memory. What is at fault in one of them shows when they are decided on loaded rows. */
function decideFromMemory(deps: PipelineDeps, memory: AccountMemory, pending: readonly Pending[]): Decided | undefined {
  try {
    return acceptFromMemory(deps, memory, pending);
  } catch {
    return undefined;
  }
}

/** Undefined also where not every command is accepted. @throws where an effect cannot be written. */
function acceptFromMemory(deps: PipelineDeps, memory: AccountMemory, pending: readonly Pending[]): Decided | undefined {
  const context = { now: deps.clock.now(), reference: deps.reference() };
  for (let decisions = 0; decisions < decisionsMax; decisions += 1) {
    const commands = pending.map((one) => one.command);
    const read = find(memory, commands);
    if (!read || read.length === 0) return undefined;
    const loaded = onlyAccounts({ accounts: read.map((one) => one.account), xmins: read.map((one) => one.xmin) });
    const nothingElse = { writes: noWrites, rejections: noRejections, locked: new Map<never, never>() };
    const batch = decideBatch(commands, { ...loaded, ...nothingElse }, context, undefined, deps.limits.rows);
    if (batch.outcomes.every((outcome) => outcome.kind === "effect")) {
      const at = new Date(context.now).toISOString();
      const behind = rowsBehind(batch, at);
      return behind && { read, batch, at, behind };
    }
    if (!declareMissing(pending, batch)) return undefined;
  }
  return undefined;
}

/** Adds accounts that decisions reached for. False: something else was missing, too. */
function declareMissing(pending: readonly Pending[], { outcomes }: BatchDecision): boolean {
  for (const [position, outcome] of outcomes.entries()) {
    if (outcome.kind === "effect") continue;
    if (outcome.kind !== "missingLock") return false;
    const one = pending[position] as Pending;
    const accountNumbers = [...(one.command.locks.accountNumbers ?? []), outcome.accountNo];
    one.command = { ...one.command, locks: { ...one.command.locks, accountNumbers } };
  }
  return true;
}

/** Rows of other kinds that it adds; undefined: it changes more than accounts, and does more than add rows. */
function rowsBehind(batch: BatchDecision, at: string): readonly BehindShortBatch[] | undefined {
  const { workingSet, notifications, acts, adopted, releasedKeys } = batch;
  if (acts.length + adopted.length + releasedKeys.length > 0) return undefined;
  if (workingSet.rows.accounts.opened.length > 0) return undefined;
  return behindShortBatch((session) => {
    workingSet.writeOtherKinds(session, at, () => undefined);
    if (notifications.length > 0) void insertOutbox(session, notifications, at);
  });
}

/**
 * One packet: begin, the function, commit. Where the function wrote nothing that is a commit of nothing, which frees the locks.
 * @throws also when it was rolled back.
 */
async function write(
  deps: PipelineDeps,
  session: Session,
  pending: readonly Pending[],
  { read, batch, at, behind }: Decided,
  sentAt: Moment,
): Promise<ShortBatchResult> {
  const { accounts } = batch.workingSet.rows;
  const short = {
    at,
    read,
    calls: sendsOf(pending.map((one) => one.command)),
    requests: batch.writes,
    entries: accounts.entries,
    updates: accounts.moved(),
    behind,
  };
  const startedAt = deps.clock.real();
  markSent(pending, sentAt);
  const [, result, commit] = await allOrFirstError(
    session.roundTrip(
      () => [beginTransaction(session), writeShortBatch(session, short), session.commit(sentAt)] as const,
    ),
  );
  if (result.kind !== "written") return result;
  const decided = pending.map((one, position) => [one, batch.outcomes[position] as Unconfirmed<unknown>] as const);
  settleCommitted(deps, { decided, rejections: [] }, commit);
  deps.events.committed(pending.length, deps.clock.real() - startedAt);
  return result;
}

/** After any error nothing is remembered. What was not lost was rolled back: its commands are decided on loaded rows. */
async function afterError(
  deps: PipelineDeps,
  state: PipelineState,
  pending: readonly Pending[],
  error: Error,
): Promise<readonly Pending[]> {
  const session = state.session as Session;
  forgetAccounts(session);
  let cause = error;
  const kind = classifyFailure(error);
  if (kind !== "lost" && !session.isLost()) {
    deps.events.failed(kind, codeOf(error));
    try {
      await rollbackTransaction(session);
      state.underWay = [];
      markNotSent(pending);
      return pending;
    } catch (lost) {
      cause = lost as Error;
    }
  }
  await recover(deps, state, { pending, error: cause }, []);
  return [];
}
