/** Watch of a service's process: memory, and how long its event loop was blocked while it was watched. */
import { monitorEventLoopDelay } from "node:perf_hooks";

/** MiB, but for the first. */
export interface NodeState {
  readonly longestBlockMs: number;
  /** Memory of the whole process. */
  readonly rss: number;
  /** While it was watched. */
  readonly rssMost: number;
  readonly heap: number;
}

const lookEveryMs = 20;
/** Resolution of the event loop's timer, which the delays include. */
const resolution = 2;

/** Garbage is collected when a watch begins and when it has ended, so that what is left of memory is in use. */
export function createNodeWatch() {
  const delay = monitorEventLoopDelay({ resolution });
  let rssMost = 0;
  let looks: NodeJS.Timeout | undefined;
  const look = () => {
    rssMost = Math.max(rssMost, process.memoryUsage.rss() / 1_048_576);
  };
  return {
    begin: () => {
      globalThis.gc?.();
      rssMost = 0;
      delay.reset();
      delay.enable();
      looks = setInterval(look, lookEveryMs).unref();
    },
    /** Ends the watch, if there is one. */
    take: (): NodeState => {
      look();
      const longestBlockMs = Math.max(0, delay.max / 1e6 - resolution);
      if (looks) {
        clearInterval(looks);
        looks = undefined;
        delay.disable();
        globalThis.gc?.();
      }
      const { rss, heapUsed } = process.memoryUsage();
      return { longestBlockMs, rss: rss / 1_048_576, rssMost, heap: heapUsed / 1_048_576 };
    },
  };
}
