/**
 * Outcomes of committed commands, some settled in each turn of the event loop: what the next batch sends leaves before
 * them, and sockets are read between them. So the database does not wait until a whole batch is answered.
 */
import type { Outcome } from "../command.ts";
import type { Pending } from "../queue/queue.ts";

/** Commands with their outcomes, in order. */
export type PendingOutcomes<Kind = Outcome<unknown>> = readonly (readonly [Pending, Kind])[];

export interface OutcomeQueue {
  /** Only of commands whose commit went through. */
  enqueue(outcomes: PendingOutcomes): void;
  /** Settles all that wait, now. */
  flush(): void;
}

const eachTurn = 32;

export function createOutcomeQueue(): OutcomeQueue {
  let waiting: (readonly [Pending, Outcome<unknown>])[] = [];
  let settled = 0;
  let isScheduled = false;

  function settle(most: number): void {
    const end = Math.min(settled + most, waiting.length);
    for (; settled < end; settled += 1) {
      const [pending, outcome] = waiting[settled] as (typeof waiting)[number];
      pending.settle(outcome);
    }
    if (settled < waiting.length) return;
    waiting = [];
    settled = 0;
  }

  function schedule(): void {
    if (isScheduled || waiting.length === 0) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      settle(eachTurn);
      schedule();
    });
  }

  return {
    enqueue(outcomes) {
      waiting.push(...outcomes);
      schedule();
    },
    flush: () => settle(waiting.length),
  };
}
