import { setTimeout as sleep } from "node:timers/promises";

/** Callers that work at once until they are stopped. */
export interface Load {
  /** Ends the load when each caller is done with what it began. @throws what a caller threw. */
  stop(): Promise<void>;
  /** Ends the load whatever became of it. */
  abandon(): void;
}

/** `pauseMs`: between two works of a caller. Without one the callers take all of the machine, also from what they wait for. */
export function startLoad(
  count: number,
  work: (isAbandoned: () => boolean) => Promise<void>,
  { pauseMs = 0 }: { readonly pauseMs?: number } = {},
): Load {
  let isOver = false;
  let isAbandoned = false;
  const call = async () => {
    while (!isOver) {
      await work(() => isAbandoned);
      if (pauseMs > 0) await sleep(pauseMs);
    }
  };
  const running = Promise.all(Array.from({ length: count }, call));
  // Awaited by stop; a caller that gives up earlier must not end the process.
  running.catch(() => undefined);
  return {
    stop: async () => {
      isOver = true;
      await running;
    },
    abandon: () => {
      isOver = true;
      isAbandoned = true;
    },
  };
}
