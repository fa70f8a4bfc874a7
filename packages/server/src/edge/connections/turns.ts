/**
 * Limits the work for unauthenticated callers in one turn of the event loop, one address after the other, so that calls of
 * partners are not delayed (spec D2).
 */
export interface Turns {
  /** Calls `go` now, or in a later turn of the event loop. `bytes`: that it takes up. */
  enqueue(address: string, go: () => void, bytes: number): void;
  /** A turn that was taken for `paid` bytes has taken up so many: later turns do less. */
  spend(bytes: number, paid: number): void;
  /**
   * A connection was opened. The system accepts one in a turn of the event loop, and a partner's may wait behind others:
   * until all are accepted, less is done for unauthenticated callers.
   */
  opened(): void;
}

const atOnce = 6;
/** Many bytes are more than one thing: a body of 64 KiB to be hashed is all that is done in a turn. */
const bytesOfOne = 8_192;
/** While connections are accepted, one thing is done for every so many. */
const openedEach = 4;

interface Task {
  readonly go: () => void;
  /** In things. */
  readonly size: number;
}

export function createTurns(): Turns {
  const waiting = new Map<string, Task[]>();
  let started = 0;
  let owed = 0;
  let isScheduled = false;
  let opened = 0;
  let hasOpened = false;

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(next);
  }

  function next(): void {
    isScheduled = false;
    const budget = budgetOfTurn();
    started = owed;
    owed = Math.max(0, owed - budget);
    hasOpened = false;
    for (const [address, queue] of waiting) {
      if (started >= budget) break;
      // The next address has its turn before this one has another.
      waiting.delete(address);
      const task = queue.shift();
      if (queue.length > 0) waiting.set(address, queue);
      if (task) start(task);
    }
    if (started > 0 || waiting.size > 0) schedule();
  }

  function start({ go, size }: Task): void {
    started += size;
    go();
  }

  function budgetOfTurn(): number {
    if (!hasOpened) return atOnce;
    return opened % openedEach === 0 ? 1 : 0;
  }

  return {
    enqueue(address, go, bytes) {
      schedule();
      const task = { go, size: Math.max(1, bytes / bytesOfOne) };
      const queue = waiting.get(address);
      if (queue !== undefined) queue.push(task);
      else if (waiting.size > 0 || hasOpened || started >= atOnce) waiting.set(address, [task]);
      else start(task);
    },
    spend(bytes, paid) {
      owed += Math.max(0, bytes - Math.max(paid, bytesOfOne)) / bytesOfOne;
    },
    opened() {
      schedule();
      opened += 1;
      hasOpened = true;
    },
  };
}
