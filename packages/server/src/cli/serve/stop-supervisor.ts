/**
 * Keeps the time that a stop may take although the event loop is busy: a thread of its own counts it, from the last turn
 * of the event loop before the stop was asked for, and kills the process when it is up. Nothing accepted is lost by that.
 */
import { once } from "node:events";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";

export interface StopSupervisor {
  /** The process has been asked to stop: from now on it has `limitMs`. */
  stopping(): void;
}

/** What both threads see: turns of the event loop, and whether a stop was asked for. */
const turns = 0;
const asked = 1;
const everyMs = 250;

/** Resolves when the thread counts: from then on the event loop may be as busy as it is. */
export async function superviseStop(limitMs: number): Promise<StopSupervisor> {
  const shared = new Int32Array(new SharedArrayBuffer(8));
  const worker = new Worker(new URL(import.meta.url), { execArgv: [], workerData: { superviseStop: shared, limitMs } });
  await once(worker, "message");
  worker.unref();
  setInterval(() => Atomics.add(shared, turns, 1), everyMs).unref();
  return { stopping: () => void Atomics.store(shared, asked, 1) };
}

/** Counts its own ticks, so that a machine that slept was not busy. */
function watch(shared: Int32Array, limitMs: number): void {
  const limit = Math.ceil(limitMs / everyMs);
  let seen = 0;
  /** Ticks since the last turn but one: the signal may have come at any time after it. */
  let sinceTurn = 0;
  let sinceTurnBefore = 0;
  setInterval(() => {
    sinceTurn += 1;
    sinceTurnBefore += 1;
    const now = Atomics.load(shared, turns);
    if (now !== seen && Atomics.load(shared, asked) === 0) {
      seen = now;
      sinceTurnBefore = sinceTurn;
      sinceTurn = 0;
    }
    if (Atomics.load(shared, asked) === 1 && sinceTurnBefore >= limit) process.kill(process.pid, "SIGKILL");
  }, everyMs);
  parentPort?.postMessage("counting");
}

const data: unknown = isMainThread ? undefined : workerData;
if (typeof data === "object" && data !== null && "superviseStop" in data && "limitMs" in data) {
  watch(data.superviseStop as Int32Array, Number(data.limitMs));
}
