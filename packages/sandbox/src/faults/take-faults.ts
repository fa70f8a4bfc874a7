/**
 * Counts the calls that meet a fault, in the database: over all nodes exactly as many as were asked for. One statement at
 * a time, for all calls that wait by then, so that one partner's faults never hold more than one connection.
 */
import type { StatementPool } from "@titian/server/admin";
import { takeFromFault } from "./fault-table.ts";

export interface FaultTaker {
  /** True when this call meets the fault of that id. */
  take(id: string): Promise<boolean>;
}

type Settle = (isTaken: boolean) => void;

export function createFaultTaker(database: StatementPool, onError: (error: unknown) => void): FaultTaker {
  const waiting = new Map<string, Settle[]>();
  let isRunning = false;

  async function takeAll(): Promise<void> {
    isRunning = true;
    for (const [id, calls] of waiting) {
      waiting.delete(id);
      // A call goes on without a fault that cannot be counted.
      const taken = await takeFromFault(database, id, calls.length).catch((error: unknown) => {
        onError(error);
        return 0;
      });
      for (const [index, settle] of calls.entries()) settle(index < taken);
    }
    isRunning = false;
  }

  return {
    take: (id) =>
      new Promise((settle) => {
        const calls = waiting.get(id);
        if (calls === undefined) waiting.set(id, [settle]);
        else calls.push(settle);
        if (!isRunning) void takeAll();
      }),
  };
}
