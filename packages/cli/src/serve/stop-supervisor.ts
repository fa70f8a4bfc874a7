/**
 * Enforces the stop limit even when the event loop is blocked: a worker thread counts the time from the last turn of the
 * event loop before the stop was requested, and then kills the process. Nothing accepted is lost.
 */
import { once } from "node:events";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";

export interface StopSupervisor {
  /** A stop was requested: from now on the process has `limitMs`. */
  stopping(): void;
}

/** Shared by both threads: turns of the event loop, and whether a stop was requested. */
const turns = 0;
const requested = 1;
const everyMs = 250;

/** Resolves when the thread is counting. */
export async function superviseStop(limitMs: number): Promise<StopSupervisor> {
  const shared = new Int32Array(new SharedArrayBuffer(8));
  const worker = new Worker(new URL(import.meta.url), { execArgv: [], workerData: { superviseStop: shared, limitMs } });
  await once(worker, "message");
  worker.unref();
  setInterval(() => Atomics.add(shared, turns, 1), everyMs).unref();
  return { stopping: () => void Atomics.store(shared, requested, 1) };
}

/** Counts its own ticks, so that time asleep does not count. */
function watch(shared: Int32Array, limitMs: number): void {
  const limit = Math.ceil(limitMs / everyMs);
  let seen = 0;
  /** Ticks since the last turn but one: the signal may have arrived at any time after it. */
  let sinceTurn = 0;
  let sinceTurnBefore = 0;
  setInterval(() => {
    sinceTurn += 1;
    sinceTurnBefore += 1;
    const now = Atomics.load(shared, turns);
    if (now !== seen && Atomics.load(shared, requested) === 0) {
      seen = now;
      sinceTurnBefore = sinceTurn;
      sinceTurn = 0;
    }
    if (Atomics.load(shared, requested) === 1 && sinceTurnBefore >= limit) process.kill(process.pid, "SIGKILL");
  }, everyMs);
  parentPort?.postMessage("counting");
}

const data: unknown = isMainThread ? undefined : workerData;
if (typeof data === "object" && data !== null && "superviseStop" in data && "limitMs" in data) {
  watch(data.superviseStop as Int32Array, Number(data.limitMs));
}
