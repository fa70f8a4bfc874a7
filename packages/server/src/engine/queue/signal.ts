/** Wakes the one loop that waits. */
export interface Signal {
  /** Ends the wait, and those that begin before it is lowered. */
  raise(): void;
  lower(): void;
  isRaised(): boolean;
  /** Until it is raised; for so many ms at most, if said. */
  wait(ms?: number): Promise<void>;
}

export function createSignal(): Signal {
  let raised = false;
  let wake: (() => void) | undefined;
  return {
    raise: () => {
      raised = true;
      wake?.();
      wake = undefined;
    },
    lower: () => {
      raised = false;
    },
    isRaised: () => raised,
    wait: async (ms) => {
      if (raised) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      const timer = ms === undefined ? undefined : setTimeout(resolve, ms);
      timer?.unref();
      await promise;
      clearTimeout(timer);
    },
  };
}
