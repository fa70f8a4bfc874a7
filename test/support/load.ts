/** Callers that work at once until they are stopped. */
export interface Load {
  /** Ends the load when each caller is done with what it began. @throws what a caller threw. */
  stop(): Promise<void>;
  /** Ends the load whatever became of it. */
  abandon(): void;
}

export function startLoad(count: number, work: (isAbandoned: () => boolean) => Promise<void>): Load {
  let isOver = false;
  let isAbandoned = false;
  const call = async () => {
    while (!isOver) await work(() => isAbandoned);
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
