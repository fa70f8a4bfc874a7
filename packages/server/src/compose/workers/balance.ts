/**
 * Callers keep their connections, so that a worker that was started again would have none: who has more connections in use
 * than others closes some of them by their next answers, and the calls come back to whoever is free.
 */
import type { WorkerProcess } from "./worker-process.ts";

const everyMs = 1_000;
/** Differences up to this are chance. */
const toleratedMin = 8;
const toleratedShare = 0.25;

/** Returns how to stop. */
export function balanceConnections(workers: () => readonly WorkerProcess[]): () => void {
  let isRunning = false;
  const timer = setInterval(() => {
    if (isRunning) return;
    isRunning = true;
    void balance(workers()).finally(() => {
      isRunning = false;
    });
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

async function balance(workers: readonly WorkerProcess[]): Promise<void> {
  if (workers.length < 2) return;
  const counts = await Promise.all(workers.map((worker) => worker.ask("busyConnections")));
  // One that does not answer takes no calls either.
  if (counts.includes(undefined)) return;
  for (const [index, excess] of excessOf(counts.map((count) => count ?? 0)).entries()) {
    if (excess > 0) workers[index]?.closeBusyConnections(excess);
  }
}

/** How many connections each has above its share; 0 where it is no more than chance. */
export function excessOf(counts: readonly number[]): readonly number[] {
  const share = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  const tolerated = Math.max(toleratedMin, share * toleratedShare);
  return counts.map((count) => (count - share > tolerated ? Math.floor(count - share) : 0));
}
