/** Calls to rails: with a time limit, ended when the node stops, and limited in number. */
import { abortable } from "./abortable.ts";

/** A rail did not respond in time. */
export class RailTimeout extends Error {}

export interface RailCalls {
  /** The work's result. @throws RailTimeout when its time is up, and an error when the node stops. */
  within<Value>(work: (signal: AbortSignal) => Promise<Value>): Promise<Value>;
  readonly stopped: boolean;
  /** Ends those that are under way, and begins no other. */
  stop(): void;
}

/** `timeoutMs`: how long a rail may take to answer one call. */
export function createRailCalls(timeoutMs: number): RailCalls {
  // One signal and one timer a call, both released with it: with thousands of calls a second they would add up.
  const underWay = new Set<AbortController>();
  let stopped = false;
  return {
    within: async (work) => {
      if (stopped) throw nodeStops();
      const call = new AbortController();
      const timer = setTimeout(() => call.abort(new RailTimeout(`no answer within ${timeoutMs} ms`)), timeoutMs);
      underWay.add(call);
      try {
        return await abortable(work(call.signal), call.signal);
      } catch (error) {
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

/** A limit of concurrent work, without a queue. */
export interface ConcurrencyLimit {
  /** False when the limit is reached: the work is not begun. */
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

/** Runs work, so much of one key at once; the rest waits in turn. */
export type Gates = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

export function createGates(max: number): Gates {
  const gates = new Map<string, { running: number; readonly waiting: (() => void)[] }>();
  return async (key, work) => {
    const gate = gates.get(key) ?? { running: 0, waiting: [] };
    gates.set(key, gate);
    if (gate.running < max) gate.running += 1;
    else await new Promise<void>((resolve) => gate.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = gate.waiting.shift();
      if (next) next();
      else gate.running -= 1;
      if (gate.running === 0) gates.delete(key);
    }
  };
}
