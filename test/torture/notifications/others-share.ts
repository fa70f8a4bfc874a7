/** Share of the machine that went to processes that have no part in a run: the more, the less its times say. */
import { clusterCpuUs, machineCpu, processCpuUs } from "../../../bench/cpu.ts";

export interface Participants {
  /** Process ids, but for those of PostgreSQL. */
  readonly processes: readonly number[];
  /** The postmaster. */
  readonly postgres: number;
}

/** From now until the returned function is called: from 0 to 1; 0 where the system does not tell. */
export function watchOthers(participants: Participants): () => number {
  const before = readClocks(participants);
  return () => {
    const after = readClocks(participants);
    if (!before || !after) return 0;
    const busyUs = after.busyUs - before.busyUs - (after.ownUs - before.ownUs);
    return Math.max(0, busyUs / (after.totalUs - before.totalUs));
  };
}

function readClocks({ processes, postgres }: Participants) {
  const machine = machineCpu();
  const own = [clusterCpuUs(postgres), ...processes.map((pid) => processCpuUs(pid))];
  return machine && { ...machine, ownUs: own.reduce<number>((sum, us = 0) => sum + us, 0) };
}
