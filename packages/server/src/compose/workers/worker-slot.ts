/** Keeps one of the workers running: starts it again when it ends by itself, later each time, and replaces it when asked. */
import type { Log } from "../../observability/log.ts";
import type { Addresses } from "./messages.ts";
import type { WorkerProcess } from "./worker-process.ts";

export interface WorkerSlot {
  /** From 1. */
  readonly number: number;
  /** The one that serves; undefined while it is started again. */
  serving(): WorkerProcess | undefined;
  /** Number of times that it ended by itself. */
  restarts(): number;
  /** @throws when the first worker ends before it is ready. */
  start(): Promise<Addresses>;
  /** Starts the next worker, then stops the one before. @throws when the next one does not start: the other serves on. */
  replace(): Promise<void>;
  /** Starts no worker any more. */
  leave(): void;
}

interface SlotOptions {
  readonly number: number;
  readonly log: Log;
  readonly fork: () => WorkerProcess;
}

const delayMinMs = 100;
const delayMaxMs = 30_000;
/** Time of service after which a worker is started again at once. */
const quietMs = 60_000;
/** A worker that takes longer to be ready hangs. */
const startMaxMs = 60_000;
/** As long as a node may take to drain. */
const drainMaxMs = 20_000;

export function createWorkerSlot({ number, log, fork }: SlotOptions): WorkerSlot {
  let serving: WorkerProcess | undefined;
  let restarts = 0;
  let endsInARow = 0;
  let hasLeft = false;
  let starting: Promise<Addresses> | undefined;
  let retry: NodeJS.Timeout | undefined;

  /** One at a time: a worker may end while its successor starts. */
  function start(): Promise<Addresses> {
    starting ??= begin().finally(() => {
      starting = undefined;
    });
    return starting;
  }

  async function begin(): Promise<Addresses> {
    const worker = fork();
    const addresses = await readyInTime(worker);
    take(worker);
    return addresses;
  }

  function take(worker: WorkerProcess): void {
    clearTimeout(retry);
    serving = worker;
    const quiet = setTimeout(() => {
      endsInARow = 0;
    }, quietMs);
    quiet.unref();
    void worker.ended.then((reason) => {
      clearTimeout(quiet);
      if (serving !== worker) return;
      serving = undefined;
      startAgain(reason, worker.pid);
    });
  }

  function startAgain(reason: string, processId?: number): void {
    if (hasLeft) return;
    restarts += 1;
    endsInARow += 1;
    log.error("worker.ended", "A worker ended by itself; it is started again.", {
      worker: number,
      processId,
      reason,
      count: endsInARow,
    });
    const tryAgain = () => void start().catch((error: unknown) => startAgain(String(error)));
    retry = setTimeout(tryAgain, delayOf(endsInARow));
  }

  return {
    number,
    serving: () => serving,
    restarts: () => restarts,
    start,
    async replace() {
      const before = serving;
      // One that is being started again is new in any case.
      if (before === undefined || hasLeft) return;
      await start();
      await stopAlone(before);
    },
    leave() {
      hasLeft = true;
      clearTimeout(retry);
    },
  };
}

function delayOf(endsInARow: number): number {
  return Math.min(delayMaxMs, delayMinMs * 2 ** (endsInARow - 1));
}

/** Kills one that takes too long: then it has ended before it was ready. */
function readyInTime(worker: WorkerProcess): Promise<Addresses> {
  const overdue = setTimeout(() => worker.kill(), startMaxMs);
  return worker.ready.finally(() => clearTimeout(overdue));
}

/** Stops a worker while the others go on; one that does not drain in time is killed. */
async function stopAlone(worker: WorkerProcess): Promise<void> {
  worker.stop({ skipsDelay: true });
  const overdue = setTimeout(() => worker.kill(), drainMaxMs);
  await worker.released;
  worker.drain();
  await worker.ended;
  clearTimeout(overdue);
}
