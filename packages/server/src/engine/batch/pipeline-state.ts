/** State with which a pipeline is run. */
import type { Clock } from "../../basics/clock.ts";
import type { OpenSession, Session } from "../../store/postgres/session.ts";
import type { OutcomeQueue } from "./outcome-queue.ts";
import type { EngineEvents } from "./events.ts";
import type { LockWaits } from "./lock-waits.ts";
import type { BatchLimits, Pending, Queue } from "../queue/queue.ts";
import type { Reference } from "../../ledger/reference/reference-data.ts";

export interface PipelineDeps {
  readonly queue: Queue;
  readonly open: OpenSession;
  readonly clock: Clock;
  readonly reference: () => Reference;
  readonly limits: BatchLimits;
  readonly events: EngineEvents;
  /** Rows that no batch waits for. */
  readonly lockWaits: LockWaits;
  readonly outcomeQueue: OutcomeQueue;
  /** Where commands go that would fill or delay a batch by themselves; the pipeline that is run them has none. */
  readonly heavy: Queue | undefined;
  /** A number in [0, 1) that spreads retries. */
  readonly jitter: () => number;
}

/** The connection a pipeline is run on; recovery replaces it when it was lost. */
export interface PipelineState {
  session: Session | undefined;
  /** Commands whose response is still owed by the batch under way. */
  underWay: readonly Pending[];
}
