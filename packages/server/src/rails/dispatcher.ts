/** Dispatch as one: what sends, what looks after the rest, and how it ends. */
import type { RailName } from "../ledger/rail.ts";
import { hurryTransfers, releaseTransfers } from "../store/due-transfers.ts";
import { type CollectResults, createCollectResults } from "./collect-results.ts";
import { createResumeTransfers, type ResumeDeps, type ResumeTransfers } from "./resume-transfers.ts";
import { createSender, type Sender, type SenderDeps } from "./sender.ts";
import { createWaiters } from "./waiters.ts";

export type DispatcherDeps = Omit<SenderDeps & ResumeDeps, "waiters">;

export interface Dispatcher {
  readonly sender: Sender;
  readonly collect: CollectResults;
  readonly resume: ResumeTransfers;
  /** A rail answers again: what waits for it is due at once. */
  wake(rail: RailName): Promise<void>;
  /** Ends what is under way and gives the rest back. */
  close(): Promise<void>;
}

export function createDispatcher(given: DispatcherDeps): Dispatcher {
  const deps = { ...given, waiters: createWaiters() };
  const { clock, database } = deps;
  const sender = createSender(deps);
  const resume = createResumeTransfers(deps);
  return {
    sender,
    collect: createCollectResults(deps),
    resume,
    wake: (rail) => hurryTransfers(database, rail, clock.now()),
    close: async () => {
      const ids = sender.underWay();
      await Promise.all([sender.close(), resume.close()]);
      await releaseTransfers(database, ids, clock.now());
    },
  };
}
