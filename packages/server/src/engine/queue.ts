/**
 * Two bounded queues, callers and duties. Partners take turns, and a flight leaves a quarter of itself to waiting duties.
 * A command that needs a row somebody else has locked is set aside until the row is free.
 */
import type { Command, Outcome } from "./command.ts";
import { createFairQueue, type FairQueue } from "./fair-queue.ts";

/** A queued command with its caller. Settling twice is harmless: the first answer counts. */
export interface Pending {
  /** With more locks once it has shown that it needs them. */
  command: Command<unknown>;
  /** True while a commit that may hold it is in the air. */
  commitSent: boolean;
  /** True once such a commit was lost: from then on "nothing taken" may no longer be said. */
  uncertain: boolean;
  settled: boolean;
  /** Id of the locked row for which it was set aside last. */
  lockedRow?: string;
  readonly settle: (outcome: Outcome<unknown>) => void;
}

export interface QueueLimits {
  readonly callers: number;
  readonly callersOfOnePartner: number;
  readonly duties: number;
}

export interface FlightLimits {
  readonly commands: number;
  /** Rows it writes. */
  readonly rows: number;
  /** Commands that read all captures of their hold. */
  readonly wholeHolds: number;
}

export interface Depth {
  readonly callers: number;
  readonly duties: number;
  /** Of both: set aside until a row is free. */
  readonly deferred: number;
}

export interface Queue {
  hasRoom(partner: string | undefined): boolean;
  /** False when full or closed; nothing was queued. */
  offer(pending: Pending): boolean;
  take(limits: FlightLimits): Pending[];
  /** Puts commands that were taken before all others. */
  putBack(pending: readonly Pending[]): void;
  /** Sets a command that was taken aside, until the row it names as locked is free. */
  defer(pending: Pending): void;
  /** Puts the commands set aside whose row is locked no more before all others. */
  restore(isLocked: (row: string) => boolean): void;
  /** Takes out what the given test picks: commands whose time has passed. */
  drop(isOver: (pending: Pending) => boolean): readonly Pending[];
  readonly depth: Depth;
  /** Resolves when something can be taken, or the queue was closed and is empty. */
  ready(): Promise<void>;
  /** Nothing more is taken in; what waits is still flown. */
  close(): void;
  /** Closed, and nothing waits any more. */
  isOver(): boolean;
}

type Side = FairQueue<Pending>;

/** `onTurnedAway`: a waiting command had to make room for a partner that has fewer waiting. */
export function createQueue(limits: QueueLimits, onTurnedAway: (pending: Pending) => void): Queue {
  const { callers: limit, callersOfOnePartner: limitOfOne } = limits;
  const ownerOf = ({ command }: Pending) => command.partner ?? "";
  const partners = createFairQueue<Pending>({ limit, limitOfOne, ownerOf, onTurnedAway });
  const all = { limit: limits.duties, limitOfOne: limits.duties };
  const duties = createFairQueue<Pending>({ ...all, ownerOf, onTurnedAway });
  const sideOf = ({ command }: Pending) => (command.partner === undefined ? duties : partners);
  const fillFlight = createFiller(partners, duties);
  const signal = createSignal();
  let closed = false;

  const depth: Depth = {
    get callers() {
      return partners.waiting();
    },
    get duties() {
      return duties.waiting();
    },
    get deferred() {
      return partners.deferred() + duties.deferred();
    },
  };
  const waiting = () => depth.callers + depth.duties;
  const isOver = () => closed && waiting() + depth.deferred === 0;

  /** What it does may wake the lane. */
  const changing =
    <Given extends unknown[], Result>(change: (...given: Given) => Result) =>
    (...given: Given): Result => {
      const result = change(...given);
      signal.raise();
      return result;
    };

  return {
    hasRoom: (partner) => (partner === undefined ? duties.hasRoom("") : partners.hasRoom(partner)),
    offer: changing((pending) => !closed && sideOf(pending).offer(pending)),
    take: fillFlight,
    putBack: changing((pending) => {
      for (const side of [duties, partners]) side.putBack(pending.filter((one) => sideOf(one) === side));
    }),
    defer: (pending) => sideOf(pending).defer(pending),
    restore: changing((isLocked) => {
      const isFree = ({ lockedRow }: Pending) => lockedRow === undefined || !isLocked(lockedRow);
      for (const side of [duties, partners]) side.restore(isFree);
    }),
    drop: changing((isOverdue) => [...duties.drop(isOverdue), ...partners.drop(isOverdue)]),
    depth,
    ready: async () => {
      while (waiting() === 0 && !isOver()) await signal.wait();
    },
    close: changing(() => {
      closed = true;
    }),
    isOver,
  };
}

/** Fills flights with callers and duties. */
function createFiller(partners: Side, duties: Side): Queue["take"] {
  let dutyPassedOver = false;
  return (most) => {
    const flight = startFlight(most);
    const quarter = most.commands >> 2;
    if (dutyPassedOver) flight.fill(Math.max(1, quarter), duties);
    flight.fill(most.commands - Math.min(duties.waiting(), quarter), partners);
    flight.fill(most.commands, duties);
    // A flight of fewer than four has no quarter: the next one begins with the duty.
    dutyPassedOver = duties.waiting() > 0 && flight.taken.every(({ command }) => command.partner !== undefined);
    return flight.taken;
  };
}

/** Wakes the one lane that waits. */
function createSignal(): { wait(): Promise<void>; raise(): void } {
  let wake: (() => void) | undefined;
  return {
    wait: () =>
      new Promise((resolve) => {
        wake = resolve;
      }),
    raise: () => {
      wake?.();
      wake = undefined;
    },
  };
}

/** A flight that is being filled from one side after the other. */
function startFlight({ wholeHolds }: FlightLimits) {
  const taken: Pending[] = [];
  let whole = 0;
  const fits = ({ command }: Pending) => whole < wholeHolds || !readsWholeHold(command);
  return {
    taken,
    fill: (most: number, side: Side) => {
      while (taken.length < most) {
        const pending = side.take(fits);
        if (!pending) return;
        taken.push(pending);
        if (readsWholeHold(pending.command)) whole += 1;
      }
    },
  };
}

/** A refund that names no capture reads all of which something can be given back. */
function readsWholeHold({ locks: { hold } }: Command<unknown>): boolean {
  return hold?.captures !== undefined && hold.captures.named === undefined;
}
