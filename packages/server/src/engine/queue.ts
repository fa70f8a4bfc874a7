/**
 * Two bounded queues, callers and duties. Partners take turns, one may fill half of the callers' queue,
 * and a flight leaves a quarter of itself to waiting duties.
 */
import type { Command, Outcome } from "./command.ts";
import { createTurns } from "./turns.ts";

/** A queued command with its caller. Settling twice is harmless: the first answer counts. */
export interface Pending {
  readonly command: Command<unknown>;
  /** True while a commit that may hold it is in the air. */
  commitSent: boolean;
  /** True once such a commit was lost: from then on "nothing taken" may no longer be said. */
  uncertain: boolean;
  settled: boolean;
  readonly settle: (outcome: Outcome<unknown>) => void;
}

export interface QueueLimits {
  readonly callers: number;
  readonly callersOfOnePartner: number;
  readonly duties: number;
}

export interface FlightLimits {
  readonly commands: number;
  readonly weight: number;
}

export interface Queue {
  hasRoom(partner: string | undefined): boolean;
  /** False when full; nothing was queued. */
  offer(pending: Pending): boolean;
  take(limits: FlightLimits): Pending[];
  /** Takes out what the given test picks: commands whose time has passed. */
  drop(isOver: (pending: Pending) => boolean): Pending[];
  readonly depth: { readonly callers: number; readonly duties: number };
  /** Resolves when something waits or the queue was closed. */
  ready(): Promise<void>;
  /** Nothing more is taken in; what waits is still flown. */
  close(): void;
  isClosed(): boolean;
}

export function createQueue(limits: QueueLimits): Queue {
  const turns = createTurns();
  const duties: Pending[] = [];
  const signal = createSignal();
  let closed = false;
  let dutyPassedOver = false;
  const dutyLine = { first: () => duties[0], shift: () => void duties.shift() };

  const hasRoom = (partner: string | undefined) => {
    if (partner === undefined) return duties.length < limits.duties;
    return turns.size() < limits.callers && turns.sizeOf(partner) < limits.callersOfOnePartner;
  };
  const waiting = () => turns.size() + duties.length;

  return {
    hasRoom,
    offer: (pending) => {
      const { partner } = pending.command;
      if (closed || !hasRoom(partner)) return false;
      if (partner === undefined) duties.push(pending);
      else turns.push(partner, pending);
      signal.raise();
      return true;
    },
    take: ({ commands, weight }) => {
      const flight: Flight = { taken: [], weight: 0, most: weight };
      const before = duties.length;
      if (dutyPassedOver) fill(flight, Math.max(1, commands >> 2), dutyLine);
      fill(flight, commands - Math.min(duties.length, commands >> 2), turns);
      fill(flight, commands, dutyLine);
      // Too heavy for what the callers left, or a flight of one: the next flight begins with it.
      dutyPassedOver = duties.length > 0 && duties.length === before;
      return flight.taken;
    },
    drop: (isOver) => {
      const out = duties.filter(isOver);
      duties.splice(0, duties.length, ...duties.filter((pending) => !isOver(pending)));
      return [...out, ...turns.drop(isOver)];
    },
    depth: {
      get callers() {
        return turns.size();
      },
      get duties() {
        return duties.length;
      },
    },
    ready: () => (waiting() > 0 || closed ? Promise.resolve() : signal.wait()),
    close: () => {
      closed = true;
      signal.raise();
    },
    isClosed: () => closed,
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

/** Takes from one line until it is empty, the flight is full, or its next command does not fit. */
function fill(flight: Flight, most: number, line: { first(): Pending | undefined; shift(): void }): void {
  while (flight.taken.length < most) {
    const pending = line.first();
    if (!pending || !fits(flight, pending)) return;
    line.shift();
    flight.taken.push(pending);
    flight.weight += pending.command.weight;
  }
}

interface Flight {
  readonly taken: Pending[];
  weight: number;
  readonly most: number;
}

/** The first command always fits: a flight is never empty while something waits. */
function fits(flight: Flight, pending: Pending): boolean {
  return flight.taken.length === 0 || flight.weight + pending.command.weight <= flight.most;
}
