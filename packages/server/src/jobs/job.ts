/** Background jobs: every node runs each job at its interval (docs/reference/engine.md). */
import type { Clock } from "../basics/clock.ts";
import { type Polling, startPolling } from "./polling.ts";

export interface Job {
  readonly name: string;
  /** Real time between two runs (ms). */
  readonly everyMs: number;
  /** True: it acts on what time it is, and waits while this node's clock and the database's differ. */
  readonly actsOnTime: boolean;
  /** Does what is due, page by page as long as it may go on, and returns how many items it did. Concurrent runs are harmless. */
  run(mayGoOn: MayGoOn): Promise<number>;
  /** Gets what runs it before its interval is over, once, when it is started. Absent: it looks at its interval alone. */
  onDue?(runNow: () => void): void;
}

/**
 * Asked before each page: false once the time of the run is up, the job is being stopped, or, for a job that acts on time,
 * the clocks differ.
 */
export type MayGoOn = () => Promise<boolean>;

/** A job that is waited for when the sandbox's clock was moved. */
export interface DueJob extends Job {
  /** Counts what is due and not done yet. */
  pending(): Promise<number>;
}

/** Interval of jobs that do due work: the available balance follows an expiry within 5 s (spec D10). */
export const dueEveryMs = 1_000;

/** Counts of all runs of a job in this process. */
export interface JobCounts {
  readonly runs: number;
  readonly failures: number;
  readonly items: number;
}

/** Closing it ends the time of a run that is under way, and waits for what it has begun. */
export interface StartedJob extends Polling {
  readonly name: string;
  readonly counts: JobCounts;
}

export interface JobDeps {
  readonly clock: Pick<Clock, "real">;
  /** True when this node's clock agrees with the database's; @throws when the database does not answer. */
  readonly agrees: () => Promise<boolean>;
  /** Asked as often as `agrees`: false, and nothing runs. Absent: always true. */
  readonly mayRun?: () => boolean;
  /** Time in which one run may begin something (ms); at least its interval. */
  readonly runMaxMs: number;
  /** Called for every failed scheduled run. */
  readonly onFailure: (job: string, error: unknown) => void;
}

/** Runs a job at its interval, one run at a time, and counts what the runs do. */
export function startJob(job: Job, { clock, agrees, mayRun, runMaxMs, onFailure }: JobDeps): StartedJob {
  const { name, everyMs, actsOnTime } = job;
  const counts = { runs: 0, failures: 0, items: 0 };
  let isStopping = false;
  const isAllowed = () => mayRun?.() !== false;
  const runOnce = async (): Promise<number> => {
    const until = clock.real() + Math.max(everyMs, runMaxMs);
    // The last check is whether it is being stopped: it may be while the clock is checked.
    const mayGoOn = async () => clock.real() < until && (!actsOnTime || (await agrees())) && isAllowed() && !isStopping;
    return (await mayGoOn()) ? job.run(mayGoOn) : 0;
  };
  const work = async () => {
    if (!isAllowed()) return;
    counts.runs += 1;
    try {
      counts.items += await runOnce();
    } catch (error) {
      counts.failures += 1;
      throw error;
    }
  };
  const onError = (error: unknown) => onFailure(name, error);
  const polling = startPolling({ everyMs, work, onError });
  job.onDue?.(() => void polling.run().catch(onError));
  const close = () => {
    isStopping = true;
    return polling.close();
  };
  return { name, counts, run: polling.run, close };
}
