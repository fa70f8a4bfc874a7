/**
 * Reconciles pending transfers that are due: their node died, or their rail did not respond, was down, or has them in a
 * batch. The rail is always inquired before a transfer is submitted again. Each rail has its own job.
 */
import { toReferenceNo } from "../basics/ids.ts";
import { type DueJob, dueEveryMs } from "../jobs/job.ts";
import type { RailName } from "../ledger/rails/terms.ts";
import type { RailTransfer } from "../ledger/transfers/transfer.ts";
import {
  type InquiryIntervals,
  claimDueTransfers,
  countDueTransfers,
  type DueTransfer,
  releaseTransfers,
} from "../store/tables/due-transfers.ts";
import { type ClaimedWork, createClaimedWork } from "./claimed-work.ts";
import { callRail } from "./call-rail.ts";
import {
  type DispatchDeps,
  recordFinalResult,
  recordRailEvent,
  recordResponse,
  recordSubmission,
} from "./results/record-result.ts";
import { operatorsResult } from "./commands/resolve-transfer.ts";
import { instructionOf, readKept } from "./instructions/instruction.ts";
import { submit } from "./submit.ts";
import type { KeptTransfer } from "../interfaces/transfer-sender.ts";

export interface ReconcileDeps extends DispatchDeps {
  readonly inquiryIntervals: InquiryIntervals;
}

/** Reconciliation of one rail. */
export interface ReconcileTransfers extends DueJob, ClaimedWork {
  readonly rail: RailName;
}

/** Concurrent reconciliations of one rail: few enough to end before they are due again. */
const concurrencyMax = 32;
export function createReconcileTransfers(deps: ReconcileDeps, rail: RailName): ReconcileTransfers {
  const { clock, database, reads, inquiryIntervals, calls, events } = deps;
  const claimed = createClaimedWork<DueTransfer>({
    clock,
    calls,
    concurrencyMax,
    claim: (limit, now) => claimDueTransfers(database, { rail, now, limit, intervals: inquiryIntervals }),
    release: (due) => releaseTransfers(database, due.map(idOf), clock.now()),
    work: (one) => reconcile(deps, one),
    idOf,
    onFailure: (id, error) => events.failed(rail, id, error),
  });
  return {
    ...claimed,
    name: `reconcile-transfers ${rail}`,
    rail,
    everyMs: dueEveryMs,
    actsOnTime: true,
    pending: async () => {
      const ids = claimed.underWay();
      return ids.length + (await countDueTransfers(reads, { rail, now: clock.now(), besides: ids }));
    },
  };
}

function idOf({ transfer }: DueTransfer): string {
  return transfer.id;
}

async function reconcile(deps: ReconcileDeps, { transfer, payload, requestedRejection }: DueTransfer): Promise<void> {
  const { rail } = transfer;
  const inquired = await callRail(deps, rail, (by, signal) => by.inquire(toReferenceNo(transfer.id), signal));
  if (inquired.kind === "responded") return void (await recordResponse(deps, transfer, inquired.state));
  if (inquired.kind !== "notReceived") return;
  const kept = readKept(transfer, payload);
  if (requestedRejection && transfer.state === "queued") {
    const isCarried = await isUnderOtherNumber(deps, rail, kept);
    if (isCarried === false) return void (await recordRequestedRejection(deps, transfer, requestedRejection.actId));
    if (isCarried === undefined) return;
    // Submitted, it carries nothing: the rail answers what became of the number that it has.
  }
  // It is due at once when the rail is open again.
  if (deps.isClosed(rail)) return;
  const sent = await recordSubmission(deps, transfer);
  if (sent === undefined) return;
  const { version, commit } = sent;
  const response = await submit(deps, rail, kept, commit);
  if (response.kind === "responded") return void (await recordResponse(deps, transfer, response.state));
  // An earlier or concurrent submission may still arrive: only a transfer that was never submitted is certainly not sent.
  const isCertain = response.kind === "unreachable" && transfer.state === "queued" && transfer.version === version;
  if (isCertain) await recordRailEvent(deps, transfer, { event: "withdraw", by: "rail", onlyAtVersion: version + 1 });
}

/** Without an act the rail's word alone stands for it. */
function recordRequestedRejection(
  deps: DispatchDeps,
  transfer: RailTransfer,
  actId: string | undefined,
): Promise<boolean> {
  const result = { ...operatorsResult("rejected", actId), onlyAtVersion: transfer.version };
  return recordFinalResult({ ...deps, engine: deps.actEngine }, transfer, result);
}

/** Undefined: the rail does not say, or cannot. */
async function isUnderOtherNumber(
  { rails, calls, events }: DispatchDeps,
  name: RailName,
  kept: KeptTransfer,
): Promise<boolean | undefined> {
  const instruction = instructionOf(kept, 0);
  try {
    return await calls.within(async (signal) => rails[name].hasUnderOtherNumber?.(instruction, signal));
  } catch (error) {
    if (!calls.stopped) events.callFailed(name, error);
    return undefined;
  }
}
