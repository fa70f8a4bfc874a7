/** Faults on purpose: kept in the database, so that every node follows and a kill changes nothing (spec D18). */
import type { OperationName } from "@titian/contract";
import type { Fault, FaultInjection } from "@titian/server";
import { startPolling, type StatementPool } from "@titian/server/admin";
import type { Log } from "@titian/server/rails";
import { deleteFaultsOf, insertFault, readFaults, readFaultsOf } from "./fault-table.ts";
import { isMetBy, type KeptFault, type PlannedFault } from "./planned-fault.ts";
import { createFaultTaker } from "./take-faults.ts";

export interface Faults extends FaultInjection {
  /** Those that calls of the partner are still to meet, in that order. */
  list(partnerKey: string): Promise<readonly PlannedFault[]>;
  /**
   * In effect on this node when the promise resolves, on others within 2 s. False: the partner has as many as it may have.
   */
  add(partnerKey: string, fault: KeptFault): Promise<boolean>;
  removeAll(partnerKey: string): Promise<void>;
  close(): Promise<void>;
}

export interface FaultsDeps {
  readonly reads: StatementPool;
  readonly database: StatementPool;
  readonly log: Log;
}

const pollMs = 1_000;

export async function followFaults({ reads, database, log }: FaultsDeps): Promise<Faults> {
  let byPartner: ReadonlyMap<string, readonly PlannedFault[]> = new Map();
  const onError = (error: unknown) =>
    log.warn("sandbox.fault_failed", "Faults on purpose cannot be read or counted; calls go on without.", { error });
  const taker = createFaultTaker(database, onError);
  const load = async () => {
    byPartner = await readFaults(reads);
  };
  await load();
  const polling = startPolling({ everyMs: pollMs, work: load, onError });

  async function takeFirst(faults: readonly PlannedFault[]): Promise<Fault | undefined> {
    for (const { id, fault, delayMs } of faults) {
      if (await taker.take(id)) return { kind: fault, delayMs };
    }
    return undefined;
  }

  return {
    faultFor(partnerKey: string, operation: OperationName) {
      const faults = byPartner.get(partnerKey)?.filter((fault) => isMetBy(fault, operation));
      return faults === undefined || faults.length === 0 ? undefined : takeFirst(faults);
    },
    list: (partnerKey) => readFaultsOf(reads, partnerKey),
    async add(partnerKey, fault) {
      const isAdded = await insertFault(database, partnerKey, fault);
      if (isAdded) await polling.run();
      return isAdded;
    },
    async removeAll(partnerKey) {
      await deleteFaultsOf(database, partnerKey);
      await polling.run();
    },
    close: () => polling.close(),
  };
}
