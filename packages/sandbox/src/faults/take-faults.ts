/**
 * Counts the calls that meet a fault, in the database: over all nodes exactly as many as were asked for. One statement at
 * a time, for all calls that wait by then, so that one partner's faults never hold more than one connection.
 */
import { type StatementPool, takeFromState } from "@titian/server/admin";

export interface FaultTaker {
  /** Whether this call meets the fault of that name. */
  take(name: string): Promise<boolean>;
}

type Settle = (isTaken: boolean) => void;

export function createFaultTaker(database: StatementPool, onError: (error: unknown) => void): FaultTaker {
  const waiting = new Map<string, Settle[]>();
  let isRunning = false;

  async function takeAll(): Promise<void> {
    isRunning = true;
    for (const [name, calls] of waiting) {
      waiting.delete(name);
      // A call goes on without a fault that cannot be counted.
      const taken = await takeFromState(database, name, calls.length).catch((error: unknown) => {
        onError(error);
        return 0;
      });
      for (const [index, settle] of calls.entries()) settle(index < taken);
    }
    isRunning = false;
  }

  return {
    take: (name) =>
      new Promise((settle) => {
        const calls = waiting.get(name);
        if (calls === undefined) waiting.set(name, [settle]);
        else calls.push(settle);
        if (!isRunning) void takeAll();
      }),
  };
}
