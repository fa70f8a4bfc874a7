/**
 * Reconciles pending transfers that are due: their node died, or their rail did not respond, was down, or has them in a
 * batch. The rail is always inquired before a transfer is submitted again. Each rail has its own job.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { toReferenceNo } from "../ids.ts";
import { type DueJob, dueEveryMs } from "../jobs/job.ts";
import type { RailName } from "../ledger/rails/terms.ts";
import type { StatementPool } from "../store/postgres/connect.ts";
import {
  type InquiryIntervals,
  claimDueTransfers,
  countDueTransfers,
  type DueTransfer,
  releaseTransfers,
} from "../store/tables/due-transfers.ts";
import { callRail, type DispatchDeps, recordSubmission, recordRailEvent, recordResponse } from "./record-result.ts";
import { readKept } from "./instruction.ts";
import { submit } from "./submit.ts";

export interface ReconcileDeps extends DispatchDeps {
  /** For plain statements that claim transfers. */
  readonly database: StatementPool;
  readonly inquiryIntervals: InquiryIntervals;
}

/** Of one rail. */
export interface ReconcileTransfers extends DueJob {
  readonly rail: RailName;
  /** Ids of transfers that are being reconciled. */
  underWay(): readonly string[];
  /** Waits until a run that is under way has ended and recorded its results. */
  settled(): Promise<void>;
}

/** Concurrent reconciliations of one rail: few enough to end before they are due again. */
const concurrencyMax = 32;
/** Pause before the next claim. */
const pauseMs = 100;

export function createReconcileTransfers(deps: ReconcileDeps, rail: RailName): ReconcileTransfers {
  const { clock, database, reads, inquiryIntervals, calls, events } = deps;
  const underWay = new Map<string, Promise<void>>();
  let running: Promise<unknown> = Promise.resolve();
  /** Of all runs. */
  let count = 0;

  const begin = (one: DueTransfer) => {
    const { id } = one.transfer;
    // Due again while this node still reconciles it.
    if (underWay.has(id)) return;
    count += 1;
    const ended = reconcile(deps, one)
      .catch((error: unknown) => events.failed(rail, id, error))
      .finally(() => underWay.delete(id));
    underWay.set(id, ended);
  };
  /** Whether more may be due. */
  const claim = async (until: number, mayGoOn?: () => Promise<boolean>): Promise<boolean> => {
    // Read before the clock is checked: a jump behind the check makes nothing due.
    const now = clock.now();
    if (calls.stopped || clock.real() >= until || (mayGoOn && !(await mayGoOn()))) return false;
    const room = concurrencyMax - underWay.size;
    if (room <= 0) return true;
    const due = await claimDueTransfers(database, { rail, now, limit: room, intervals: inquiryIntervals });
    // Claimed while the node stopped.
    if (calls.stopped) await releaseTransfers(database, due.map(idOf), clock.now());
    else due.forEach(begin);
    return due.length === room;
  };
  /** Resolves when nothing is due or under way. */
  const runOnce = async (until: number, mayGoOn?: () => Promise<boolean>) => {
    const before = count;
    for (let more = true; more || underWay.size > 0; ) {
      more = await claim(until, mayGoOn);
      await Promise.race([Promise.all(underWay.values()), sleep(pauseMs)]);
    }
    return count - before;
  };
  return {
    name: `reconcile-transfers ${rail}`,
    rail,
    everyMs: dueEveryMs,
    actsOnTime: true,
    run: (until, mayGoOn) => {
      const run = runOnce(until, mayGoOn);
      running = run.catch(() => undefined);
      return run;
    },
    pending: async () => {
      const ids = [...underWay.keys()];
      return ids.length + (await countDueTransfers(reads, { rail, now: clock.now(), besides: ids }));
    },
    underWay: () => [...underWay.keys()],
    settled: async () => {
      await running;
      // A run that failed has left them behind.
      await Promise.all(underWay.values());
    },
  };
}

function idOf({ transfer }: DueTransfer): string {
  return transfer.id;
}

async function reconcile(deps: ReconcileDeps, { transfer, facts }: DueTransfer): Promise<void> {
  const { rail } = transfer;
  const inquired = await callRail(deps, rail, (by, signal) => by.inquire(toReferenceNo(transfer.id), signal));
  if (inquired.kind === "responded") return void (await recordResponse(deps, transfer, inquired.state));
  if (inquired.kind !== "notReceived") return;
  const sent = await recordSubmission(deps, transfer);
  if (sent === undefined) return;
  const { version, sentAt } = sent;
  const response = await submit(deps, rail, readKept(transfer, facts), sentAt);
  if (response.kind === "responded") return void (await recordResponse(deps, transfer, response.state));
  // An earlier or concurrent submission may still arrive: only a transfer that was never submitted is certainly not sent.
  const isCertain = response.kind === "unreachable" && transfer.state === "queued" && transfer.version === version;
  if (isCertain) await recordRailEvent(deps, transfer, { event: "withdraw", by: "rail", onlyAtVersion: version + 1 });
}
