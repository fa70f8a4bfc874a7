/** The sandbox's movable time: an offset kept in the database, which every node follows within 2 s (spec D18). */
import type { MovableClock } from "@titian/server";
import {
  addToState,
  raiseState,
  readState,
  startPolling,
  type Polling,
  type StatementPool,
} from "@titian/server/admin";
import type { Instant, Log } from "@titian/server/rails";

export interface MovedClock {
  now(): Instant;
  /** Moves the whole system's time to the given one, never back; this node works by it when the promise resolves. */
  moveTo(time: Instant): Promise<void>;
  /** Moves it forward by so many milliseconds: two nodes asked at once move it by both. */
  moveBy(ms: number): Promise<void>;
  close(): Promise<void>;
}

export interface MovedClockDeps {
  readonly clock: MovableClock;
  readonly reads: StatementPool;
  readonly database: StatementPool;
  readonly log: Log;
}

const offsetName = "sandboxClockOffsetMs";
const pollMs = 1_000;

export async function followMovedClock({ clock, reads, database, log }: MovedClockDeps): Promise<MovedClock> {
  const follow = (offsetMs: number) => {
    // Never back: a poll may have read before a move that this node made meanwhile.
    if (offsetMs > clock.offset()) clock.setOffset(offsetMs);
  };
  const load = async () => follow(Number((await readState(reads, offsetName)) ?? 0));
  await load();
  const polling: Polling = startPolling({
    everyMs: pollMs,
    work: load,
    onError: (error) =>
      log.warn("sandbox.clock_read_failed", "The sandbox clock cannot be read; this node keeps its last offset.", {
        error,
      }),
  });
  return {
    now: () => clock.now(),
    moveTo: async (time) => follow(await raiseState(database, offsetName, time - clock.real())),
    moveBy: async (ms) => follow(await addToState(database, offsetName, ms)),
    close: () => polling.close(),
  };
}
