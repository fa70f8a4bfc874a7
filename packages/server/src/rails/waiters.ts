/**
 * Callers that wait in their call for a transfer's result. Whoever brings the result claims the waiter first: from then
 * on the caller waits for that result to be recorded, however long; unclaimed, it is told that it is open when its time
 * is up. So whether a refusal undoes the write is decided once, before it is recorded.
 */
import type { UndoneWrite } from "../engine/command.ts";
import type { TransferResult } from "../ledger/transfer-result.ts";

export type Undo = Omit<UndoneWrite, "refusal">;

export interface Waiter {
  /** The result the caller is told: settled or refused in the call, or still open. */
  readonly result: Promise<TransferResult>;
}

export interface Waiters {
  /** Waits for at most so long (ms). */
  wait(id: string, undo: Undo, ms: number): Waiter;
  /** What it takes to undo the write, if its caller still waits and nobody has claimed it. */
  claim(id: string): Undo | undefined;
  /** Whether its caller waits, and nobody has claimed it yet. */
  isWaiting(id: string): boolean;
  /** Tells a claimed waiter. */
  tell(id: string, result: TransferResult): void;
}

interface Waiting {
  readonly undo: Undo;
  readonly resolve: (result: TransferResult) => void;
  readonly timer: NodeJS.Timeout;
  claimed: boolean;
}

export function createWaiters(): Waiters {
  const waiting = new Map<string, Waiting>();
  return {
    wait: (id, undo, ms) => {
      const { promise, resolve } = Promise.withResolvers<TransferResult>();
      const giveUp = () => {
        waiting.delete(id);
        resolve({ kind: "open" });
      };
      waiting.set(id, { undo, resolve, timer: setTimeout(giveUp, ms), claimed: false });
      return { result: promise };
    },
    claim: (id) => {
      const one = waiting.get(id);
      if (!one || one.claimed) return undefined;
      one.claimed = true;
      clearTimeout(one.timer);
      return one.undo;
    },
    isWaiting: (id) => waiting.get(id)?.claimed === false,
    tell: (id, result) => {
      const one = waiting.get(id);
      if (!one?.claimed) return;
      waiting.delete(id);
      one.resolve(result);
    },
  };
}
