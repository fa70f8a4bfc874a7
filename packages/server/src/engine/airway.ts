/** What a lane flies with. */
import type { Clock } from "../clock.ts";
import type { OpenSession, Session } from "../store/session.ts";
import type { EngineEvents } from "./events.ts";
import type { StuckRows } from "./held-rows.ts";
import type { FlightLimits, Pending, Queue } from "./queue.ts";
import type { Reference } from "./reference.ts";

export interface LaneDeps {
  readonly queue: Queue;
  readonly open: OpenSession;
  readonly clock: Clock;
  readonly reference: () => Reference;
  readonly limits: FlightLimits;
  readonly events: EngineEvents;
  /** A number in [0, 1) that spreads retries. */
  readonly jitter: () => number;
  readonly aside?: Aside;
}

/** Where a lane sends what waits for a row somebody else holds. */
export interface Aside {
  /** True while such rows are known: the lane then looks before it locks. */
  isBusy(): boolean;
  /** Takes the commands over and sees to their outcomes. */
  take(waiting: readonly Pending[]): void;
}

/** The connection a lane flies on; recovery replaces it when it was lost. */
export interface Airway {
  session: Session | undefined;
  /** Commands whose answer is still owed by the flight in the air. */
  flying: readonly Pending[];
  /** On a lane that others send their waiting commands to: true from then until a flight went through again. */
  waits: boolean;
  /** Rows that this lane knows to be held for long, while commands wait for some. */
  stuck: StuckRows;
}
