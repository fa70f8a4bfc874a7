/**
 * The one write path: every command goes through here and gets exactly one outcome. What fits a flight flies on the
 * chained lane; a command over a flight's weight flies alone on the heavy lane, and one that waits for a row somebody
 * else holds goes to the waiting lane, so that they delay nobody.
 */
import type { Clock } from "../clock.ts";
import type { OpenSession, Session } from "../store/session.ts";
import type { Airway, Aside, LaneDeps } from "./airway.ts";
import type { Command, Outcome } from "./command.ts";
import { type EngineEvents, noEvents } from "./events.ts";
import { runLane } from "./lane.ts";
import { answerWhenOverdue } from "./recovery.ts";
import { createQueue, type FlightLimits, type Pending, type QueueLimits } from "./queue.ts";
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
/** One heavy command flies, four wait. */
const heavyQueue: QueueLimits = { callers: 4, callersOfOnePartner: 4, duties: 4 };
const heavyFlight: FlightLimits = { commands: 1, weight: Number.MAX_SAFE_INTEGER };
/** The longest a command may wait beyond its deadline for its answer. */
const watchMs = 250;

export async function createEngine(options: EngineOptions): Promise<Engine> {
  const shared = {
    open: options.open,
    clock: options.clock,
    reference: options.reference,
    events: options.events ?? noEvents,
    jitter: Math.random,
  };
  const limits = options.flight ?? defaultFlight;
  const queueLimits = options.queue ?? defaultQueue;
  const session = await options.open();
  // These two open their connections when the first command comes.
  const heavy = startLane({ ...shared, limits: heavyFlight, queue: createQueue(heavyQueue) }, undefined);
  const waiting = startLane({ ...shared, limits, queue: createQueue(queueLimits) }, undefined);
  const lane = startLane({ ...shared, limits, queue: createQueue(queueLimits), aside: asideTo(waiting) }, session);
  const watch = setInterval(() => {
    for (const { deps, airway } of [lane, heavy, waiting]) settleOverdue(deps, airway);
  }, watchMs);
  watch.unref();
  return {
    submit: (command) => submitWhole(command.weight > limits.weight ? heavy.deps : lane.deps, command),
    hasRoom: (partner) => lane.deps.queue.hasRoom(partner),
    depth: lane.deps.queue.depth,
    close: async () => {
      await Promise.all([lane, heavy].map(stopLane));
      // Only now will nobody send it anything any more.
      await stopLane(waiting);
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
  const airway: Airway = { session, flying: [], waits: false, stuck: new Set() };
  return { deps, airway, running: runLane(deps, airway) };
}

function asideTo({ deps: { queue }, airway }: Lane): Aside {
  return {
    isBusy: () => airway.waits,
    take: (waiting) => {
      for (const pending of waiting) {
        if (!queue.offer(pending)) pending.settle(answerWhenOverdue(pending));
        else airway.waits = true;
      }
    },
  };
}

async function stopLane({ deps, airway, running }: Lane): Promise<void> {
  deps.queue.close();
  await running;
  await airway.session?.close();
}

/** How many of our own accounts one command may reach for undeclared. */
const needsMax = 4;

/**
 * A command that reached for an account it had not declared flies again, with it locked as well.
 *
 * So does a refused one that found no row to lock: sends of one external id are decided in turn by the rows they lock, the
 * same ones for the same body. Where a row came to be meanwhile, an older send may have been accepted on it, or be about
 * to: one that did not see this refusal has locked that row before the refusal was committed, so this second flight waits
 * for it and finds it accepted. Otherwise it finds its own refusal.
 */
async function submitWhole<Facts>(deps: LaneDeps, command: Command<Facts>): Promise<Outcome<Facts>> {
  let outcome = await submit(deps, command);
  let accountNumbers = command.locks.accountNumbers ?? [];
  for (let needs = 0; outcome.kind === "needs" && needs < needsMax; needs += 1) {
    accountNumbers = [...accountNumbers, outcome.accountNo];
    outcome = await submit(deps, { ...command, locks: { ...command.locks, accountNumbers } });
  }
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
