/** Reads that wait for a commit which began after them. */

/** No commit after the read was confirmed: whether what was read lasts is not known. */
export class UnconfirmedRead extends Error {
  override readonly name = "UnconfirmedRead";
  constructor(reason: string) {
    super(reason);
    // Many at once, all from one place.
    delete (this as { stack?: string }).stack;
  }
}

export interface WaitingReads {
  readonly count: number;
  /** Rejects with UnconfirmedRead after 2 s. */
  wait(): Promise<void>;
  /** Called when a commit is sent; the result, when it is confirmed: it ends the wait of those that waited then. */
  covered(): () => void;
  /** Ends every wait: what was read is of no use. */
  fail(why: string): void;
}

interface WaitingRead {
  /** Reads before it have smaller numbers. */
  readonly number: number;
  readonly settle: (error?: UnconfirmedRead) => void;
}

const waitMaxMs = 2_000;

/** `onUnconfirmed`: a read was given up. */
export function createWaitingReads(onUnconfirmed: () => void): WaitingReads {
  const waiting = new Set<WaitingRead>();
  let reads = 0;
  return {
    get count() {
      return waiting.size;
    },
    wait: () =>
      new Promise<void>((resolve, reject) => {
        const settle = (error?: UnconfirmedRead) => {
          clearTimeout(timer);
          waiting.delete(read);
          if (!error) return resolve();
          onUnconfirmed();
          reject(error);
        };
        const timer = setTimeout(() => settle(new UnconfirmedRead("no commit was confirmed in time")), waitMaxMs);
        reads += 1;
        const read: WaitingRead = { number: reads, settle };
        waiting.add(read);
      }),
    covered: () => {
      const last = reads;
      return () => {
        for (const read of waiting) if (read.number <= last) read.settle();
      };
    },
    fail: (why) => {
      for (const read of waiting) read.settle(new UnconfirmedRead(why));
    },
  };
}
