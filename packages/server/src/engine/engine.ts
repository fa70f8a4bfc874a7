/**
 * The one write path: every command gets exactly one outcome. Commands that fit a batch run on the chained pipeline. One
 * that writes more rows than a batch may, or many before it locks any, runs alone on the heavy pipeline, and one that needs
 * a locked row is deferred: so they delay no others.
 */
import type { Clock } from "../basics/clock.ts";
import type { OpenSession, Session } from "../store/postgres/session.ts";
import type { PipelineState, PipelineDeps } from "./batch/pipeline-state.ts";
import type { Command, Outcome } from "./command.ts";
import { createOutcomeQueue } from "./batch/outcome-queue.ts";
import { type EngineEvents, noEvents } from "./batch/events.ts";
import { outcomeWhenOverdue } from "./batch/finish.ts";
import { runPipeline } from "./batch/pipeline.ts";
import { createLockWaits } from "./batch/lock-waits.ts";
import { createQueue, type Depth, type BatchLimits, type Pending, type QueueLimits } from "./queue/queue.ts";
import { writesAhead } from "./rows/lock-order.ts";
import type { Reference } from "../ledger/reference/reference-data.ts";

export interface EngineOptions {
  readonly open: OpenSession;
  readonly clock: Clock;
  readonly reference: () => Reference;
  readonly events?: EngineEvents;
  readonly queue?: QueueLimits;
  readonly batch?: BatchLimits;
}

export interface Engine {
  /** Decides, writes and commits; resolves with the outcome, at the latest shortly after the deadline of the command. */
  submit<Payload>(command: Command<Payload>): Promise<Outcome<Payload>>;
  /** True: a partner's next command would be queued. */
  hasCapacity(partner: string): boolean;
  /** Commands waiting now. */
  readonly depth: Depth;
  /** Accepts no new command, finishes those it has, closes the connections. */
  close(): Promise<void>;
}

const defaultQueue: QueueLimits = { requests: 4_096, requestsOfOnePartner: 2_048, jobs: 1_024 };
const defaultBatch: BatchLimits = { commands: 256, rows: 4_000, unboundedReads: 4 };
/** One heavy command is run, four wait. */
const heavyLimits: QueueLimits = { requests: 4, requestsOfOnePartner: 4, jobs: 4 };
const heavyBatch: BatchLimits = { commands: 1, rows: Number.MAX_SAFE_INTEGER, unboundedReads: 1 };
/** The longest a command may wait beyond its deadline for its response. */
const watchMs = 250;

export async function createEngine(options: EngineOptions): Promise<Engine> {
  const { open, clock, reference, events = noEvents } = options;
  const turnAway = (pending: Pending) => pending.settle(outcomeWhenOverdue(pending));
  const heavyQueue = createQueue(heavyLimits, turnAway);
  const queue = createQueue(options.queue ?? defaultQueue, turnAway);
  const lockWaits = createLockWaits({
    open,
    clock,
    events,
    onFreed: () => {
      for (const one of [queue, heavyQueue]) one.restore(lockWaits.isLocked);
    },
  });
  const outcomeQueue = createOutcomeQueue();
  const shared = { open, clock, reference, events, lockWaits, outcomeQueue, jitter: Math.random };
  const session = await open();
  // It opens its connection with its first command.
  const heavy = startPipeline({ ...shared, limits: heavyBatch, queue: heavyQueue, heavy: undefined }, undefined);
  const pipeline = startPipeline(
    { ...shared, limits: options.batch ?? defaultBatch, queue, heavy: heavyQueue },
    session,
  );
  const watch = setInterval(() => {
    for (const { deps, pipelineState } of [pipeline, heavy]) settleOverdue(deps, pipelineState);
  }, watchMs);
  watch.unref();
  return {
    submit: (command) => submitWhole((writesAhead(command.locks) ? heavy : pipeline).deps, command),
    hasCapacity: queue.hasCapacity,
    depth: queue.depth,
    close: async () => {
      await stopPipeline(pipeline);
      // Only now nothing is sent to it any more.
      await stopPipeline(heavy);
      outcomeQueue.flush();
      await lockWaits.close();
      clearInterval(watch);
    },
  };
}

interface Pipeline {
  readonly deps: PipelineDeps;
  readonly pipelineState: PipelineState;
  readonly running: Promise<void>;
}

function startPipeline(deps: PipelineDeps, session: Session | undefined): Pipeline {
  const pipelineState: PipelineState = { session, underWay: [] };
  return { deps, pipelineState, running: runPipeline(deps, pipelineState) };
}

async function stopPipeline({ deps, pipelineState, running }: Pipeline): Promise<void> {
  deps.queue.close();
  await running;
  await pipelineState.session?.close();
}

/**
 * A rejected command that found no row to lock is retried: sends of one external id are decided in turn by the rows they
 * lock, the same ones for the same body. Where a row came to be meanwhile, an older send may have been accepted on it, or be
 * about to: one that did not see this rejection has locked that row before the rejection was committed, so this second batch
 * waits for it and finds it accepted. Otherwise it finds the rejection: its own, or that of a copy on another node which was
 * committed first.
 */
async function submitWhole<Payload>(deps: PipelineDeps, command: Command<Payload>): Promise<Outcome<Payload>> {
  const outcome = await submit(deps, command);
  return outcome.kind === "rejection" && outcome.lockedNothing ? submit(deps, command) : outcome;
}

function submit<Payload>(deps: PipelineDeps, command: Command<Payload>): Promise<Outcome<Payload>> {
  return new Promise((resolve) => {
    const pending: Pending = {
      command,
      commitSent: false,
      uncertain: false,
      settled: false,
      settle: (outcome) => {
        if (pending.settled) return;
        pending.settled = true;
        if (outcome.kind === "unknown") deps.events.unknown(command.id);
        if (outcome.kind === "unavailable") deps.events.unavailable(outcome.error);
        if (outcome.kind === "failed") deps.events.poison(command.id, outcome.error);
        resolve(outcome as Outcome<Payload>);
      },
    };
    if (!deps.queue.offer(pending)) pending.settle({ kind: "overloaded" });
  });
}

/** Requests are answered in time even while the database hangs; the batch goes on without them. */
function settleOverdue(deps: PipelineDeps, pipelineState: PipelineState): void {
  const now = deps.clock.real();
  const isOver = (pending: Pending) => now >= pending.command.deadline;
  for (const pending of deps.queue.drop(isOver)) pending.settle(outcomeWhenOverdue(pending));
  for (const pending of pipelineState.underWay) {
    if (isOver(pending)) pending.settle(outcomeWhenOverdue(pending));
  }
}
