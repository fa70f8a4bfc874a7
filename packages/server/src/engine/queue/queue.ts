/**
 * Two bounded queues, of requests and of jobs. Partners take turns, and a batch leaves a quarter to waiting jobs.
 * A command that needs a locked row is deferred until the row is free.
 */
import type { Moment } from "../../basics/clock.ts";
import type { Command, Outcome } from "../command.ts";
import { readsUnbounded } from "../rows/lock-set.ts";
import { createFairQueue, type FairQueue } from "./fair-queue.ts";
import { createSignal } from "./signal.ts";

/** A queued command with its caller. Settling twice is harmless: the first response counts. */
export interface Pending {
  /** With more locks once it has shown that it needs them. */
  command: Command<unknown>;
  /** When the first commit was sent that may contain it. */
  sentAt?: Moment;
  /** True while a commit that may contain it is under way. */
  commitSent: boolean;
  /** True once such a commit was lost: its outcome is unknown from then on. */
  uncertain: boolean;
  settled: boolean;
  /** Id of the locked row for which it was deferred last. */
  lockedRow?: string;
  readonly settle: (outcome: Outcome<unknown>) => void;
}

export interface QueueLimits {
  readonly requests: number;
  readonly requestsOfOnePartner: number;
  readonly jobs: number;
}

export interface BatchLimits {
  readonly commands: number;
  /** Rows it writes. */
  readonly rows: number;
  /** Commands that read rows without bound. */
  readonly unboundedReads: number;
}

export interface Depth {
  readonly requests: number;
  readonly jobs: number;
  /** Count of both that are deferred until a row is free. */
  readonly deferred: number;
}

export interface Queue {
  hasCapacity(partner: string | undefined): boolean;
  /** False when full or closed; nothing was queued. */
  offer(pending: Pending): boolean;
  dequeue(limits: BatchLimits): Pending[];
  /** Puts dequeued commands first again. */
  putBack(pending: readonly Pending[]): void;
  /** Defers a dequeued command until its `lockedRow` is free. */
  defer(pending: Pending): void;
  /** Puts the deferred commands first whose row is free. */
  restore(isLocked: (row: string) => boolean): void;
  /** Removes the commands that the test picks. */
  drop(isOver: (pending: Pending) => boolean): readonly Pending[];
  readonly depth: Depth;
  /** The commands that wait for a batch. */
  list(): readonly Pending[];
  /** Resolves when the queue has a command, or was closed and is empty. */
  ready(): Promise<void>;
  /** Nothing more is queued; what waits is still run. */
  close(): void;
  /** Closed, and nothing waits any more. */
  isOver(): boolean;
}

type Side = FairQueue<Pending>;

/** `onTurnedAway`: a waiting command made room for a partner with fewer waiting commands. */
export function createQueue(limits: QueueLimits, onTurnedAway: (pending: Pending) => void): Queue {
  const { requests: limit, requestsOfOnePartner: limitOfOne } = limits;
  const ownerOf = ({ command }: Pending) => command.partner ?? "";
  const partners = createFairQueue<Pending>({ limit, limitOfOne, ownerOf, onTurnedAway });
  const all = { limit: limits.jobs, limitOfOne: limits.jobs };
  const jobs = createFairQueue<Pending>({ ...all, ownerOf, onTurnedAway });
  const sideOf = ({ command }: Pending) => (command.partner === undefined ? jobs : partners);
  const fillBatch = createFiller(partners, jobs);
  const signal = createSignal();
  let closed = false;

  const depth: Depth = {
    get requests() {
      return partners.waiting();
    },
    get jobs() {
      return jobs.waiting();
    },
    get deferred() {
      return partners.deferred() + jobs.deferred();
    },
  };
  const waiting = () => depth.requests + depth.jobs;
  const isOver = () => closed && waiting() + depth.deferred === 0;

  /** Wraps a change, which may wake the pipeline. */
  const changing =
    <Given extends unknown[], Result>(change: (...given: Given) => Result) =>
    (...given: Given): Result => {
      const result = change(...given);
      signal.raise();
      return result;
    };

  return {
    hasCapacity: (partner) => (partner === undefined ? jobs.hasCapacity("") : partners.hasCapacity(partner)),
    offer: changing((pending) => !closed && sideOf(pending).offer(pending)),
    dequeue: fillBatch,
    putBack: changing((pending) => {
      for (const side of [jobs, partners]) side.putBack(pending.filter((one) => sideOf(one) === side));
    }),
    defer: (pending) => sideOf(pending).defer(pending),
    restore: changing((isLocked) => {
      const isFree = ({ lockedRow }: Pending) => lockedRow === undefined || !isLocked(lockedRow);
      for (const side of [jobs, partners]) side.restore(isFree);
    }),
    drop: changing((isOverdue) => [...jobs.drop(isOverdue), ...partners.drop(isOverdue)]),
    depth,
    list: () => [...jobs.list(), ...partners.list()],
    ready: async () => {
      while (waiting() === 0 && !isOver()) {
        signal.lower();
        await signal.wait();
      }
    },
    close: changing(() => {
      closed = true;
    }),
    isOver,
  };
}

function createFiller(partners: Side, jobs: Side): Queue["dequeue"] {
  let jobPassedOver = false;
  return (limits) => {
    const batch = startBatch(limits);
    const quarter = limits.commands >> 2;
    if (jobPassedOver) batch.fill(Math.max(1, quarter), jobs);
    batch.fill(limits.commands - Math.min(jobs.waiting(), quarter), partners);
    batch.fill(limits.commands, jobs);
    // A batch of fewer than four has no quarter: the next one begins with the job.
    jobPassedOver = jobs.waiting() > 0 && batch.commands.every(({ command }) => command.partner !== undefined);
    return batch.commands;
  };
}

/** A batch that is being filled from one side after the other. */
function startBatch({ unboundedReads }: BatchLimits) {
  const commands: Pending[] = [];
  let unbounded = 0;
  const fits = ({ command }: Pending) => unbounded < unboundedReads || !readsUnbounded(command);
  return {
    commands,
    fill: (max: number, side: Side) => {
      while (commands.length < max) {
        const pending = side.dequeue(fits);
        if (!pending) return;
        commands.push(pending);
        if (readsUnbounded(pending.command)) unbounded += 1;
      }
    },
  };
}
