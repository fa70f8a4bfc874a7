/** What a lane flies with. */
import type { Clock } from "../clock.ts";
import type { OpenSession, Session } from "../store/session.ts";
import type { EngineEvents } from "./events.ts";
import type { LockedRows } from "./locked-rows.ts";
import type { FlightLimits, Pending, Queue } from "./queue.ts";
import type { Reference } from "./reference.ts";

export interface LaneDeps {
  readonly queue: Queue;
  readonly open: OpenSession;
  readonly clock: Clock;
  readonly reference: () => Reference;
  readonly limits: FlightLimits;
  readonly events: EngineEvents;
  /** Rows that no flight waits for. */
  readonly lockedRows: LockedRows;
  /** Where commands go that would fill or delay a flight by themselves; the lane that flies them has none. */
  readonly heavy: Queue | undefined;
  /** A number in [0, 1) that spreads retries. */
  readonly jitter: () => number;
}

/** The connection a lane flies on; recovery replaces it when it was lost. */
export interface Airway {
  session: Session | undefined;
  /** Commands whose answer is still owed by the flight in the air. */
  flying: readonly Pending[];
}
