/** Runs one prepared window and reads what everybody's CPU clock said before and after. */
import { clusterCpuUs, processCpuUs } from "../cpu.ts";
import type { Cluster } from "../database/cluster.ts";
import type { Measured, Seen, Window } from "../subject.ts";
import type { Worker } from "../workers/start-worker.ts";

export interface MeasuredWorker {
  readonly cluster: Cluster;
  /** Makes the calls. */
  readonly worker: Worker;
  /** The process under test, when it is not the worker itself. */
  readonly servedBy?: number;
}

export async function measureWindow({ cluster, worker, servedBy }: MeasuredWorker, window: Window): Promise<Measured> {
  await worker.prepare(window);
  const postgresBefore = readPostgres(cluster);
  const serverBefore = servedBy === undefined ? undefined : processCpuUs(servedBy);
  const seen = await worker.run();
  const postgresAfter = readPostgres(cluster);
  const serverAfter = servedBy === undefined ? undefined : processCpuUs(servedBy);
  const caller = seen.callerCpuUs / seen.done;
  return {
    done: seen.done,
    perSecond: seen.done / (seen.elapsedMs / 1_000),
    p50Ms: seen.p50Ms,
    p99Ms: seen.p99Ms,
    postgresUs: perCall(seen, postgresBefore, postgresAfter),
    nodeUs: servedBy === undefined ? caller : perCall(seen, serverBefore, serverAfter),
    generatorUs: servedBy === undefined ? undefined : caller,
  };
}

export function readPostgres({ postmaster }: Cluster): number | undefined {
  return postmaster === undefined ? undefined : clusterCpuUs(postmaster);
}

export function perCall(
  { done }: Pick<Seen, "done">,
  before: number | undefined,
  after: number | undefined,
): number | undefined {
  return before === undefined || after === undefined ? undefined : (after - before) / done;
}
