/** The one write path: every command goes through here, on one chained lane, and gets exactly one outcome. */
import type { Clock } from "../clock.ts";
import type { OpenSession } from "../store/session.ts";
import type { Command, Outcome } from "./command.ts";
import { type EngineEvents, noEvents } from "./events.ts";
import { type Airway, type LaneDeps, runLane } from "./lane.ts";
import { createQueue, type FlightLimits, type Pending, type Queue, type QueueLimits } from "./queue.ts";
import type { Reference } from "./reference.ts";

export interface EngineOptions {
  readonly open: OpenSession;
  readonly clock: Clock;
  readonly reference: () => Reference;
  readonly events?: EngineEvents;
  readonly queue?: QueueLimits;
  readonly flight?: FlightLimits;
}

export interface Engine {
  /** Decides, writes and commits; resolves with the one outcome, at the latest a little after the command's deadline. */
  submit<Facts>(command: Command<Facts>): Promise<Outcome<Facts>>;
  /** Whether a partner's next command would be queued. */
  hasRoom(partner: string): boolean;
  /** Commands waiting now. */
  readonly depth: { readonly callers: number; readonly duties: number };
  /** Takes nothing new, finishes what was taken, closes the connections. */
  close(): Promise<void>;
}

const defaultQueue: QueueLimits = { callers: 4_096, callersOfOnePartner: 2_048, duties: 1_024 };
const defaultFlight: FlightLimits = { commands: 256, weight: 4_000 };
/** The longest a command may wait beyond its deadline for its answer. */
const watchMs = 250;

export async function createEngine(options: EngineOptions): Promise<Engine> {
  const queue = createQueue(options.queue ?? defaultQueue);
  const deps: LaneDeps = {
    queue,
    open: options.open,
    clock: options.clock,
    reference: options.reference,
    limits: options.flight ?? defaultFlight,
    events: options.events ?? noEvents,
    jitter: Math.random,
  };
  const airway: Airway = { session: await options.open(), flying: [] };
  const running = runLane(deps, airway);
  const watch = setInterval(() => settleOverdue(deps, queue, airway), watchMs);
  watch.unref();
  return {
    submit: (command) => submit(deps, queue, command),
    hasRoom: (partner) => queue.hasRoom(partner),
    depth: queue.depth,
    close: async () => {
      queue.close();
      await running;
      clearInterval(watch);
      await airway.session?.close();
    },
  };
}

function submit<Facts>(deps: LaneDeps, queue: Queue, command: Command<Facts>): Promise<Outcome<Facts>> {
  return new Promise((resolve) => {
    const pending: Pending = {
      // The queue holds commands of every kind; each outcome goes back to the caller that knows its own.
      command: command as Command<unknown>,
      commitSent: false,
      uncertain: false,
      settled: false,
      settle: (outcome) => {
        if (pending.settled) return;
        pending.settled = true;
        if (outcome.kind === "unknown") deps.events.unknown(command.id);
        if (outcome.kind === "failed") deps.events.poison(command.id, outcome.error);
        resolve(outcome as Outcome<Facts>);
      },
    };
    if (!queue.offer(pending)) pending.settle({ kind: "overloaded" });
  });
}

/** Callers are answered in time even while the database hangs; the flight itself goes on and settles harmlessly later. */
function settleOverdue(deps: LaneDeps, queue: Queue, airway: Airway): void {
  const now = deps.clock.real();
  const isOver = (pending: Pending) => now >= pending.command.deadline;
  for (const pending of queue.drop(isOver)) pending.settle({ kind: "overloaded" });
  for (const pending of airway.flying) {
    if (isOver(pending)) pending.settle({ kind: "unknown" });
  }
}
