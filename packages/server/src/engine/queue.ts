/**
 * Two bounded queues, callers and duties. Partners take turns, one may fill half of the callers' queue,
 * and a flight leaves a quarter of itself to waiting duties.
 */
import type { Command, Outcome } from "./command.ts";

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
  readonly depth: { callers: number; duties: number };
  /** Resolves when something waits or the queue was closed. */
  ready(): Promise<void>;
  /** Nothing more is taken in; what waits is still flown. */
  close(): void;
  isClosed(): boolean;
}

export function createQueue(limits: QueueLimits): Queue {
  const turns = new Map<string, Pending[]>();
  const duties: Pending[] = [];
  const depth = { callers: 0, duties: 0 };
  let wake: (() => void) | undefined;
  let closed = false;

  const hasRoom = (partner: string | undefined) => {
    if (partner === undefined) return duties.length < limits.duties;
    const own = turns.get(partner)?.length ?? 0;
    return depth.callers < limits.callers && own < limits.callersOfOnePartner;
  };

  /** One command of each waiting partner in turn; who was served goes to the end of the line. */
  const takeCallers = (into: Flight, most: number) => {
    while (depth.callers > 0 && into.taken.length < most) {
      const next = turns.entries().next().value;
      if (!next) return;
      const [partner, line] = next;
      const pending = line[0];
      if (pending && !fits(into, pending)) return;
      turns.delete(partner);
      line.shift();
      if (line.length > 0) turns.set(partner, line);
      depth.callers -= 1;
      if (pending) put(into, pending);
    }
  };

  const takeDuties = (into: Flight, most: number) => {
    while (into.taken.length < most) {
      const pending = duties[0];
      if (!pending || !fits(into, pending)) return;
      duties.shift();
      depth.duties -= 1;
      put(into, pending);
    }
  };

  return {
    hasRoom,
    offer: (pending) => {
      const { partner } = pending.command;
      if (closed || !hasRoom(partner)) return false;
      if (partner === undefined) {
        duties.push(pending);
        depth.duties += 1;
      } else {
        const line = turns.get(partner);
        if (line) line.push(pending);
        else turns.set(partner, [pending]);
        depth.callers += 1;
      }
      wake?.();
      return true;
    },
    take: ({ commands, weight }) => {
      const flight: Flight = { taken: [], weight: 0, most: weight };
      takeCallers(flight, commands - Math.min(duties.length, commands >> 2));
      takeDuties(flight, commands);
      return flight.taken;
    },
    drop: (isOver) => {
      const out = duties.filter(isOver);
      duties.splice(0, duties.length, ...duties.filter((pending) => !isOver(pending)));
      depth.duties = duties.length;
      for (const [partner, line] of turns) {
        const late = line.filter(isOver);
        if (late.length === 0) continue;
        const kept = line.filter((pending) => !isOver(pending));
        if (kept.length > 0) turns.set(partner, kept);
        else turns.delete(partner);
        depth.callers -= late.length;
        out.push(...late);
      }
      return out;
    },
    depth,
    ready: () =>
      depth.callers + depth.duties > 0 || closed
        ? Promise.resolve()
        : new Promise((resolve) => {
            wake = () => {
              wake = undefined;
              resolve();
            };
          }),
    close: () => {
      closed = true;
      wake?.();
    },
    isClosed: () => closed,
  };
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

function put(flight: Flight, pending: Pending): void {
  flight.taken.push(pending);
  flight.weight += pending.command.weight;
}
