/**
 * Callers keep their connections, so that a worker that was started again would have none: who has more connections in use
 * than others closes some of them by their next responses, and the calls come back to whoever is free.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { WorkerProcess } from "./worker-process.ts";

const everyMs = 1_000;
/** Differences up to this are chance. */
const toleratedMin = 8;
const toleratedShare = 0.25;
/** Most answers are sent within it, and their callers have connected again. */
const comeBackMs = 500;

interface BalancedWorker extends Pick<WorkerProcess, "closeBusyConnections"> {
  ask(question: "busyConnections"): Promise<number | undefined>;
}

/** Returns how to stop; that waits until the callers of closed connections have come back. */
export function balanceConnections(workers: () => readonly BalancedWorker[]): () => Promise<void> {
  let isRunning = false;
  let isStopped = false;
  let cameBack: Promise<unknown> = Promise.resolve();
  const balance = async () => {
    const all = workers();
    const excess = await findExcess(all);
    if (isStopped || excess.every((count) => count === 0)) return;
    cameBack = sleep(comeBackMs);
    for (const [index, count] of excess.entries()) if (count > 0) all[index]?.closeBusyConnections(count);
  };
  const timer = setInterval(() => {
    if (isRunning) return;
    isRunning = true;
    void balance().finally(() => {
      isRunning = false;
    });
  }, everyMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    isStopped = true;
    await cameBack;
  };
}

async function findExcess(workers: readonly BalancedWorker[]): Promise<readonly number[]> {
  if (workers.length < 2) return [];
  const counts = await Promise.all(workers.map((worker) => worker.ask("busyConnections")));
  // One that does not answer takes no calls either.
  return counts.includes(undefined) ? [] : excessOf(counts.map((count) => count ?? 0));
}

/** Number of connections that each has above its share; 0 where it is no more than chance. */
export function excessOf(counts: readonly number[]): readonly number[] {
  const share = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  const tolerated = Math.max(toleratedMin, share * toleratedShare);
  return counts.map((count) => (count - share > tolerated ? Math.floor(count - share) : 0));
}
