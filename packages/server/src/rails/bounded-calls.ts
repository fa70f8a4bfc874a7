/** Calls to rails: none takes longer than a rail may, all end when the node stops, and so many at once are the most. */
import { abortable } from "./abortable.ts";

/** A rail did not answer in time. */
export class RailTimeout extends Error {}

export interface RailCalls {
  /** The work's result. @throws RailSilent when its time is up, and an error when the node stops, whether or not it obeys the signal it is given. */
  within<Value>(work: (signal: AbortSignal) => Promise<Value>): Promise<Value>;
  readonly stopped: boolean;
  /** Ends those that are under way, and begins no other. */
  stop(): void;
}

/** `answerMs`: how long a rail may take to answer one call. */
export function createRailCalls(answerMs: number): RailCalls {
  // One signal and one timer a call, both gone with it: thousands a second would else wait for their time-outs together.
  const underWay = new Set<AbortController>();
  let stopped = false;
  return {
    within: async (work) => {
      if (stopped) throw nodeStops();
      const call = new AbortController();
      const timer = setTimeout(() => call.abort(new RailTimeout(`no answer within ${answerMs} ms`)), answerMs);
      underWay.add(call);
      try {
        return await abortable(work(call.signal), call.signal);
      } catch (error) {
        // Why it was given up, whatever the rail makes of it.
        throw call.signal.aborted ? call.signal.reason : error;
      } finally {
        clearTimeout(timer);
        underWay.delete(call);
      }
    },
    get stopped() {
      return stopped;
    },
    stop: () => {
      stopped = true;
      for (const call of underWay) call.abort(nodeStops());
    },
  };
}

function nodeStops(): Error {
  return new Error("this node stops");
}

/** Work at once, with a limit and no queue: work that finds no place is not begun. */
export interface ConcurrencyLimit {
  /** Whether there was one; then it is free again when the work ends. */
  tryRun(work: () => Promise<void>): boolean;
  readonly running: number;
}

export function createConcurrencyLimit(max: number): ConcurrencyLimit {
  let running = 0;
  return {
    tryRun: (work) => {
      if (running >= max) return false;
      running += 1;
      void work().finally(() => {
        running -= 1;
      });
      return true;
    },
    get running() {
      return running;
    },
  };
}
