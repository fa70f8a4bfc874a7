/**
 * Callers that wait in their call for a transfer's result. Whoever brings the result claims the waiting caller first: a
 * claimed caller waits until that result is recorded, however long; one that nobody claimed is told that the transfer is
 * open when its time is up. So what the first answer was is known before the result is recorded, and kept with it.
 */
import type { TransferResult } from "../ledger/transfers/first-result.ts";

export interface PendingResponses {
  /** The result, once a claimed caller is told it; `open` when nobody has claimed it within so long (ms). */
  wait(id: string, ms: number): Promise<TransferResult>;
  /** Whether its caller still waited: then it waits for `tell`. At most one claim of a caller succeeds. */
  claim(id: string): boolean;
  /** Whether its caller waits, and nobody has claimed it yet. */
  isWaiting(id: string): boolean;
  /** Tells a claimed caller. */
  resolve(id: string, result: TransferResult): void;
}

interface Waiting {
  readonly resolve: (result: TransferResult) => void;
  readonly timer: NodeJS.Timeout;
  claimed: boolean;
}

export function createPendingResponses(): PendingResponses {
  const waiting = new Map<string, Waiting>();
  return {
    wait: (id, ms) => {
      const { promise, resolve } = Promise.withResolvers<TransferResult>();
      const giveUp = () => {
        waiting.delete(id);
        resolve({ kind: "open" });
      };
      waiting.set(id, { resolve, timer: setTimeout(giveUp, ms), claimed: false });
      return promise;
    },
    claim: (id) => {
      const one = waiting.get(id);
      if (!one || one.claimed) return false;
      one.claimed = true;
      clearTimeout(one.timer);
      return true;
    },
    isWaiting: (id) => waiting.get(id)?.claimed === false,
    resolve: (id, result) => {
      const one = waiting.get(id);
      if (!one?.claimed) return;
      waiting.delete(id);
      one.resolve(result);
    },
  };
}
