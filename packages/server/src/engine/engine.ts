/**
 * The one write path: every command goes through here and gets exactly one outcome. What fits a flight flies on the
 * chained lane; a command that writes more rows than a flight may flies alone on the heavy lane, and one that needs a row
 * somebody else has locked is set aside, so that they delay nobody.
 */
import type { Clock } from "../clock.ts";
import type { OpenSession, Session } from "../store/session.ts";
import type { Airway, LaneDeps } from "./airway.ts";
import type { Command, Outcome } from "./command.ts";
import { type EngineEvents, noEvents } from "./events.ts";
import { answerWhenOverdue } from "./finish-flight.ts";
import { runLane } from "./lane.ts";
import { createLockedRows } from "./locked-rows.ts";
import { createQueue, type Depth, type FlightLimits, type Pending, type QueueLimits } from "./queue.ts";
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
  readonly depth: Depth;
  /** Takes nothing new, finishes what was taken, closes the connections. */
  close(): Promise<void>;
}

const defaultQueue: QueueLimits = { callers: 4_096, callersOfOnePartner: 2_048, duties: 1_024 };
const defaultFlight: FlightLimits = { commands: 256, rows: 4_000, wholeHolds: 4 };
/** One heavy command flies, four wait. */
const heavyLimits: QueueLimits = { callers: 4, callersOfOnePartner: 4, duties: 4 };
const heavyFlight: FlightLimits = { commands: 1, rows: Number.MAX_SAFE_INTEGER, wholeHolds: 1 };
/** The longest a command may wait beyond its deadline for its answer. */
const watchMs = 250;

export async function createEngine(options: EngineOptions): Promise<Engine> {
  const { open, clock, reference, events = noEvents } = options;
  const turnAway = (pending: Pending) => pending.settle(answerWhenOverdue(pending));
  const heavyQueue = createQueue(heavyLimits, turnAway);
  const queue = createQueue(options.queue ?? defaultQueue, turnAway);
  const lockedRows = createLockedRows({
    open,
    clock,
    events,
    onFreed: () => {
      for (const one of [queue, heavyQueue]) one.restore(lockedRows.isLocked);
    },
  });
  const shared = { open, clock, reference, events, lockedRows, jitter: Math.random };
  const session = await open();
  // It opens its connection when its first command comes.
  const heavy = startLane({ ...shared, limits: heavyFlight, queue: heavyQueue, heavy: undefined }, undefined);
  const lane = startLane({ ...shared, limits: options.flight ?? defaultFlight, queue, heavy: heavyQueue }, session);
  const watch = setInterval(() => {
    for (const { deps, airway } of [lane, heavy]) settleOverdue(deps, airway);
  }, watchMs);
  watch.unref();
  return {
    submit: (command) => submitWhole(lane.deps, command),
    hasRoom: queue.hasRoom,
    depth: queue.depth,
    close: async () => {
      await stopLane(lane);
      // Only now will nobody send it anything any more.
      await stopLane(heavy);
      await lockedRows.close();
      clearInterval(watch);
    },
  };
}

interface Lane {
  readonly deps: LaneDeps;
  readonly airway: Airway;
  readonly running: Promise<void>;
}

function startLane(deps: LaneDeps, session: Session | undefined): Lane {
  const airway: Airway = { session, flying: [] };
  return { deps, airway, running: runLane(deps, airway) };
}

async function stopLane({ deps, airway, running }: Lane): Promise<void> {
  deps.queue.close();
  await running;
  await airway.session?.close();
}

/**
 * A refused command that found no row to lock flies again: sends of one external id are decided in turn by the rows they
 * lock, the same ones for the same body. Where a row came to be meanwhile, an older send may have been accepted on it, or be
 * about to: one that did not see this refusal has locked that row before the refusal was committed, so this second flight
 * waits for it and finds it accepted. Otherwise it finds its own refusal.
 */
async function submitWhole<Facts>(deps: LaneDeps, command: Command<Facts>): Promise<Outcome<Facts>> {
  const outcome = await submit(deps, command);
  return outcome.kind === "refusal" && outcome.lockedNothing ? submit(deps, command) : outcome;
}

function submit<Facts>(deps: LaneDeps, command: Command<Facts>): Promise<Outcome<Facts>> {
  return new Promise((resolve) => {
    const pending: Pending = {
      // The queue holds commands of every kind; each outcome goes back to the caller that knows its own.
      command,
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
    if (!deps.queue.offer(pending)) pending.settle({ kind: "overloaded" });
  });
}

/** Callers are answered in time even while the database hangs; the flight goes on and passes over who was answered. */
function settleOverdue(deps: LaneDeps, airway: Airway): void {
  const now = deps.clock.real();
  const isOver = (pending: Pending) => now >= pending.command.deadline;
  for (const pending of deps.queue.drop(isOver)) pending.settle(answerWhenOverdue(pending));
  for (const pending of airway.flying) {
    if (isOver(pending)) pending.settle(answerWhenOverdue(pending));
  }
}
