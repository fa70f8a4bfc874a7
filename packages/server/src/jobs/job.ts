/** Background jobs: every node runs each job at its interval (docs/engine.md). */
import type { Clock } from "../clock.ts";
import { type Polling, startPolling } from "./polling.ts";

export interface Job {
  readonly name: string;
  /** Real time between two runs (ms). */
  readonly everyMs: number;
  /** Whether it acts on what time it is: then it waits while this node's clock and the database's differ. */
  readonly actsOnTime: boolean;
  /**
   * Does what is due and returns how many items it did; begins nothing after `until` (real time, epoch ms). Concurrent
   * runs are harmless. `mayGoOn`: whether this node's clock still agrees, checked before each page.
   */
  run(until: number, mayGoOn?: () => Promise<boolean>): Promise<number>;
}

/** A job that is waited for when the sandbox's clock was moved. */
export interface DueJob extends Job {
  /** How much is due and not done yet. */
  pending(): Promise<number>;
}

/** Interval of jobs that do due work: the available balance follows an expiry within 5 s (spec D10). */
export const dueEveryMs = 1_000;

/** Of all runs of a job in this process. */
export interface JobCounts {
  readonly runs: number;
  readonly failures: number;
  readonly items: number;
}

export interface StartedJob extends Polling {
  readonly name: string;
  readonly counts: JobCounts;
}

export interface JobDeps {
  readonly clock: Pick<Clock, "real">;
  /** Whether this node's clock agrees with the database's; @throws when the database does not answer. */
  readonly agrees: () => Promise<boolean>;
  /** How long one run may begin something (ms); at least its interval. */
  readonly runMaxMs: number;
  /** Called for every failed scheduled run. */
  readonly onFailure: (job: string, error: unknown) => void;
}

/** Runs a job at its interval, one run at a time, and counts what the runs do. */
export function startJob(job: Job, { clock, agrees, runMaxMs, onFailure }: JobDeps): StartedJob {
  const { name, everyMs, actsOnTime } = job;
  const counts = { runs: 0, failures: 0, items: 0 };
  const runOnce = async (): Promise<number> => {
    if (actsOnTime && !(await agrees())) return 0;
    return job.run(clock.real() + Math.max(everyMs, runMaxMs), actsOnTime ? agrees : undefined);
  };
  const work = async () => {
    counts.runs += 1;
    try {
      counts.items += await runOnce();
    } catch (error) {
      counts.failures += 1;
      throw error;
    }
  };
  return { name, counts, ...startPolling({ everyMs, work, onError: (error) => onFailure(name, error) }) };
}
