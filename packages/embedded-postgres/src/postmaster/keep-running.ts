/** Starts the server again when it dies by itself: on the same port, so that whoever was connected finds it again. */
import type { ClusterLog } from "../cluster-log.ts";
import type { Postmaster } from "./postmaster.ts";

export interface KeepRunningOptions {
  readonly first: Postmaster;
  /** Starts the next one on the first one's port. */
  readonly restart: () => Promise<Postmaster>;
  readonly log: ClusterLog;
  /** Told once when the server cannot be kept running. */
  readonly onFailure: (error: Error) => void;
}

export interface KeptRunning {
  /** Process id of the current server. */
  pid(): number;
  /** Stops it for good. */
  stop(): Promise<void>;
}

/**
 * A server that dies more often than this, each time within a second, has a fault that a restart will not mend. One
 * that somebody kills again and again is started again and again.
 */
const mostRestarts = 5;
const quietMs = 1_000;

export function keepRunning({ first, restart, log, onFailure }: KeepRunningOptions): KeptRunning {
  let current = first;
  let isStopping = false;
  let restarts = 0;

  const watch = async (): Promise<void> => {
    for (let quiet: NodeJS.Timeout | undefined; ; ) {
      await current.ended;
      clearTimeout(quiet);
      if (isStopping) return;
      restarts += 1;
      if (restarts > mostRestarts) throw new Error(`PostgreSQL died ${restarts} times in a row`);
      const processId = current.pid;
      log.warn("embedded_database.restarted", "PostgreSQL ended by itself; it is started again.", { processId });
      current = await restart();
      // Told to stop while it was being started.
      if (isStopping) return current.stop();
      quiet = setTimeout(() => {
        restarts = 0;
      }, quietMs);
      quiet.unref();
    }
  };
  const start = async (): Promise<void> => {
    try {
      await watch();
    } catch (error) {
      const cause = error instanceof Error ? error : new Error(String(error));
      log.error("embedded_database.failed", "PostgreSQL cannot be kept running.", { error: cause });
      onFailure(cause);
    }
  };
  const watching = start();
  return {
    pid: () => current.pid,
    stop: async () => {
      isStopping = true;
      await current.stop();
      await watching;
    },
  };
}
