/** Submission, collection of results and reconciliation of all rails. */
import { type RailName, railNames } from "../ledger/rails/terms.ts";
import { makeTransfersDue, releaseTransfers } from "../store/tables/due-transfers.ts";
import { type CompareResults, createCompareResults } from "./results/compare-results.ts";
import { type CollectResults, createCollectResults } from "./results/collect-results.ts";
import { createReconcileTransfers, type ReconcileDeps, type ReconcileTransfers } from "./reconcile-transfers.ts";
import { createRailCalls } from "./bounded-calls.ts";
import { createSubmitter, type Submitter, type SubmitterDeps } from "./submit-now.ts";
import { createSendBulkItems, type SendBulkItems } from "./send-bulk-items.ts";
import { createKeepResult } from "./results/set-aside.ts";
import { createPendingResponses } from "./results/pending-responses.ts";
import { createSettleTogether } from "./results/settle-together.ts";

export interface DispatcherDeps
  extends Omit<SubmitterDeps & ReconcileDeps, "pendingResponses" | "settleTogether" | "calls" | "keepResult"> {
  /** Time that a rail may take to answer one call (ms). */
  readonly railTimeoutMs: number;
}

export interface Dispatcher {
  readonly sender: Submitter;
  /** One for each rail: one that does not respond delays no other. */
  readonly collect: readonly CollectResults[];
  /** Instead of all other jobs, on a node that answers inquiries alone. */
  readonly compare: readonly CompareResults[];
  readonly reconcile: readonly ReconcileTransfers[];
  readonly sendBulkItems: SendBulkItems;
  /** The rail responds again: its pending transfers are due at once. */
  wake(rail: RailName): Promise<void>;
  /** Ends what is under way; what is left can be claimed by another node at once. */
  close(): Promise<void>;
}

export function createDispatcher(given: DispatcherDeps): Dispatcher {
  const deps = {
    ...given,
    pendingResponses: createPendingResponses(),
    settleTogether: createSettleTogether(given),
    calls: createRailCalls(given.railTimeoutMs),
    keepResult: createKeepResult(given),
  };
  const { clock, database, calls } = deps;
  const sender = createSubmitter(deps);
  const reconcile = railNames.map((rail) => createReconcileTransfers(deps, rail));
  const sendBulkItems = createSendBulkItems(deps);
  return {
    sender,
    collect: railNames.map((rail) => createCollectResults(deps, rail)),
    compare: railNames.map((rail) => createCompareResults(deps, rail)),
    reconcile,
    sendBulkItems,
    wake: async (rail) => {
      sender.wake(rail);
      if (rail === sendBulkItems.rail) sendBulkItems.wake();
      await makeTransfersDue(database, rail, clock.now());
    },
    close: async () => {
      const all = [sender, sendBulkItems, ...reconcile];
      const ids = all.flatMap((one) => one.underWay());
      calls.stop();
      await Promise.all(all.map((one) => one.settled()));
      await releaseTransfers(database, ids, clock.now());
    },
  };
}
