/**
 * Callers that wait for the result of their transfer. Before a result is recorded, its waiting caller is claimed: a
 * claimed caller waits until the result is recorded; the wait of any other ends in time with "open". So the first
 * response is known before the result is recorded, and is recorded with it.
 */
import type { TransferResult } from "../../ledger/transfers/first-result.ts";

export interface PendingResponses {
  /** The result, or `open` when no result claims the caller within `ms`. */
  wait(id: string, ms: number): Promise<TransferResult>;
  /** True when the caller still waits: then it waits for `resolve`. At most one claim of a caller succeeds. */
  claim(id: string): boolean;
  /** True when the caller waits and is not claimed. */
  isWaiting(id: string): boolean;
  /** Ends the wait of a claimed caller. */
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
