/** Bounded work at once; what is more waits for its turn, in order. */
export interface Turns {
  run<Value>(work: () => Promise<Value>): Promise<Value>;
  readonly waiting: number;
}

export function createTurns(most: number): Turns {
  const line: (() => void)[] = [];
  let running = 0;
  const end = () => {
    const next = line.shift();
    if (next) next();
    else running -= 1;
  };
  return {
    run: async (work) => {
      if (running < most) running += 1;
      else await new Promise<void>((resolve) => line.push(resolve));
      try {
        return await work();
      } finally {
        end();
      }
    },
    get waiting() {
      return line.length;
    },
  };
}
