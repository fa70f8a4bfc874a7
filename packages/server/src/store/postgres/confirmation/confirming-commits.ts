/**
 * Commits that confirm reads, one after the other. A commit costs as much as a read, so it waits until as many reads wait for
 * it as are under way, but no longer than the last two commits would take.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../../../basics/clock.ts";
import { confirmReplication } from "./confirm.ts";
import type { OwnSession } from "./confirming-session.ts";
import type { WaitingReads } from "./waiting-reads.ts";

export interface Commits {
  /** Counts the read while it lasts. */
  duringRead<Result>(read: () => Promise<Result>): Promise<Result>;
  /** Resolves with the next commit. */
  confirm(): Promise<void>;
  /** Commits though no read waits. */
  commitOnce(): void;
  stop(): void;
}

const retryMs = 50;
const gatherMs = { min: 1, max: 20 };

export function createCommits(own: OwnSession, waiting: WaitingReads, clock: Pick<Clock, "monotonic">): Commits {
  let reading = 0;
  let isWanted = false;
  let isRunning = false;
  let isStopped = false;
  let lastMs: number = gatherMs.min;
  let lookAgain: () => void = () => undefined;

  /** Reads that are answered in one piece are confirmed by one commit. */
  const gathered = () =>
    new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        lookAgain = () => undefined;
        resolve();
      };
      const timer = setTimeout(done, Math.min(Math.max(2 * lastMs, gatherMs.min), gatherMs.max));
      lookAgain = () => {
        if (waiting.count >= reading) done();
      };
      setImmediate(() => lookAgain());
    });

  const run = async () => {
    isRunning = true;
    while (!isStopped && (isWanted || waiting.count > 0)) {
      await gathered();
      isWanted = false;
      const startedAt = clock.monotonic();
      const isConfirmed = await confirmOn(own);
      lastMs = clock.monotonic() - startedAt;
      if (!isConfirmed) await sleep(retryMs);
    }
    isRunning = false;
  };
  const start = () => {
    if (!isRunning) void run();
  };

  return {
    duringRead: async (read) => {
      reading += 1;
      try {
        return await read();
      } finally {
        reading -= 1;
        lookAgain();
      }
    },
    confirm: () => {
      const confirmed = waiting.wait();
      lookAgain();
      start();
      return confirmed;
    },
    commitOnce: () => {
      isWanted = true;
      start();
    },
    stop: () => {
      isStopped = true;
    },
  };
}

async function confirmOn(own: OwnSession): Promise<boolean> {
  const session = await own.session().catch(() => undefined);
  if (!session) return false;
  try {
    await confirmReplication(session);
    return true;
  } catch {
    own.leave(session);
    return false;
  }
}
