/**
 * How much a turn of the event loop does for callers nobody knows: a few things, one address after the other, so that the
 * calls of partners have their turn in between however many strangers there are (decision D2).
 */
export interface Turns {
  /** Calls `go` now, or in a later turn of the event loop. */
  take(address: string, go: () => void): void;
}

const atOnce = 6;

export function createTurns(): Turns {
  const waiting = new Map<string, (() => void)[]>();
  let taken = 0;
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(next);
  }

  function next(): void {
    isScheduled = false;
    taken = 0;
    for (const [address, queue] of waiting) {
      if (taken === atOnce) break;
      // The next address has its turn before this one has another.
      waiting.delete(address);
      const go = queue.shift();
      if (queue.length > 0) waiting.set(address, queue);
      taken += 1;
      go?.();
    }
    if (taken > 0) schedule();
  }

  return {
    take(address, go) {
      schedule();
      const queue = waiting.get(address);
      if (queue !== undefined) queue.push(go);
      else if (waiting.size > 0 || taken >= atOnce) waiting.set(address, [go]);
      else {
        taken += 1;
        go();
      }
    },
  };
}
