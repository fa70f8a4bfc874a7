/** Faults on purpose: kept in the database, so that every node follows and a kill changes nothing (spec D18). */
import type { OperationName } from "@titian/contract";
import type { Fault, FaultInjection } from "@titian/server";
import { listState, newId, removeState, startPolling, type StatementPool, writeState } from "@titian/server/admin";
import type { Log } from "@titian/server/rails";
import { isMetBy, type KeptFault, type PlannedFault, readFault } from "./planned-fault.ts";
import { createFaultTaker } from "./take-faults.ts";

export interface Faults extends FaultInjection {
  /** Those that calls of the partner are still to meet, in that order. */
  list(partnerKey: string): Promise<readonly PlannedFault[]>;
  /** In effect on this node when the promise resolves, on others within 2 s. */
  add(partnerKey: string, fault: KeptFault): Promise<void>;
  removeAll(partnerKey: string): Promise<void>;
  close(): Promise<void>;
}

export interface FaultsDeps {
  readonly reads: StatementPool;
  readonly database: StatementPool;
  readonly log: Log;
}

const prefix = "sandboxFault.";
const pollMs = 1_000;

const prefixOf = (partnerKey: string) => `${prefix}${partnerKey}.`;

export async function followFaults({ reads, database, log }: FaultsDeps): Promise<Faults> {
  let byPartner: ReadonlyMap<string, readonly PlannedFault[]> = new Map();
  const onError = (error: unknown) =>
    log.warn("sandbox.fault_failed", "Faults on purpose cannot be read or counted; calls go on without.", { error });
  const taker = createFaultTaker(database, onError);
  const load = async () => {
    byPartner = Map.groupBy(await readFaults(reads, prefix), ({ name }) => name.split(".")[1] ?? "");
  };
  await load();
  const polling = startPolling({ everyMs: pollMs, work: load, onError });

  async function takeFirst(faults: readonly PlannedFault[]): Promise<Fault | undefined> {
    for (const { name, fault, delayMs } of faults) {
      if (await taker.take(name)) return { kind: fault, delayMs };
    }
    return undefined;
  }

  return {
    faultFor(partnerKey: string, operation: OperationName) {
      const faults = byPartner.get(partnerKey)?.filter((fault) => isMetBy(fault, operation));
      return faults === undefined || faults.length === 0 ? undefined : takeFirst(faults);
    },
    list: (partnerKey) => readFaults(reads, prefixOf(partnerKey)),
    async add(partnerKey, fault) {
      await writeState(database, `${prefixOf(partnerKey)}${newId()}`, fault);
      await polling.run();
    },
    async removeAll(partnerKey) {
      await removeState(database, prefixOf(partnerKey));
      await polling.run();
    },
    close: () => polling.close(),
  };
}

async function readFaults(reads: StatementPool, namePrefix: string): Promise<readonly PlannedFault[]> {
  const found = await listState(reads, namePrefix);
  return [...found].flatMap(([name, value]) => readFault(name, value) ?? []);
}
