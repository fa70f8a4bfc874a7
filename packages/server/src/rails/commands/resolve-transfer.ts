/** An operator's resolution of a pending transfer, or of a return (spec D11). */
import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../../basics/clock.ts";
import type { Engine } from "../../engine/engine.ts";
import { fromReferenceNo, homeCell, newId, toReferenceNo } from "../../basics/ids.ts";
import { ActNotApproved, type ActOpener, openAct } from "../../jobs/open-act.ts";
import { submitUntilAnswered } from "../../jobs/submit-until-answered.ts";
import { type RailTransfer, rejectableFrom } from "../../ledger/transfers/transfer.ts";
import { afterEvent } from "../../ledger/transfers/states.ts";
import { listStopped } from "../../store/tables/rail-records/rail-leases.ts";
import { requestRejection } from "../../store/tables/rail-records/requested-rejections.ts";
import type { StatementPool } from "../../store/postgres/connect.ts";
import { rejectAct } from "../../store/tables/acts.ts";
import { findTransfer } from "../../store/reads/transfers.ts";
import { railsCommand } from "../rails-command.ts";
import { type RailEvent, railEventCommand } from "./event-command.ts";

export interface ResolveDeps {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly reads: StatementPool;
}

export interface ResolveTransferDeps extends ResolveDeps, ActOpener {
  /** Cell of the database; absent: home. */
  readonly cell?: number;
}

export type TransferResolution = "settled" | "rejected" | "returned";

const railEventOf: Readonly<Record<TransferResolution, RailEvent>> = {
  settled: { event: "settle", by: "operator" },
  rejected: { event: "reject", rejection: "rejectedByRail", by: "operator" },
  returned: { event: "return", by: "operator" },
};

/** By an approved act; without one it is the rail's. */
export function operatorsResult(resolution: TransferResolution, actId: string | undefined): RailEvent {
  const result = railEventOf[resolution];
  return actId === undefined ? { ...result, by: "rail" } : { ...result, act: { id: actId } };
}

/** Its rail's directory is ahead: the transfer may repeat a payment that the database has forgotten. */
export class RailAhead extends Error {
  override readonly name = "RailAhead";
}

/** It is not known whether the resolution is recorded; repeating it is safe. */
export class ResolutionUnknown extends Error {
  override readonly name = "ResolutionUnknown";
}

const pauseMs = 100;
const checkEveryMs = 250;
/** More than twice the validity of an instruction: another node may submit the transfer once more meanwhile. */
const waitMaxMs = 30_000;

/** A rail has 10 s for one response, and the job that inquires comes round within seconds. */
const inquiryWaitMs = 15_000;

/** An operator's decision on a transfer. */
export interface TransferDecision {
  readonly resolution: TransferResolution;
  /** The rejection of a queued item is recorded without an inquiry: by the word of the rail's operator. */
  readonly withoutInquiry?: boolean;
  /** Absent: only where nobody is in charge. */
  readonly reason?: string | undefined;
  /** Number of the case that it belongs to, elsewhere. */
  readonly ticket?: string | undefined;
}

/**
 * Proposes the decision as an act, and carries it out once that is approved. Returns the transfer as resolved, or as it is where
 * the resolution changes nothing (so far); undefined for an unknown reference number.
 * @throws ActNotApproved; ResolutionUnknown when the ledger did not answer; RailAhead of a rejection over a rail that was handed
 * what the database has forgotten.
 */
export async function resolveTransfer(
  deps: ResolveTransferDeps,
  referenceNo: string,
  { resolution, withoutInquiry = false, reason, ticket }: TransferDecision,
): Promise<RailTransfer | undefined> {
  const { reads } = deps;
  const known = await findByNumber(reads, referenceNo);
  if (!known) return undefined;
  if (resolution === "rejected") await checkNotAhead(deps, known);
  if (afterEvent(known.state, railEventOf[resolution].event) === undefined) return known;
  const isAfterInquiry =
    resolution === "rejected" && known.bulk !== undefined && known.state === "queued" && !withoutInquiry;
  const approved = { transfer: known.id, resolution, seen: known.state, seenVersion: known.version, isAfterInquiry };
  const act = await openAct(deps, {
    id: newId(),
    kind: resolution === "returned" ? "return" : "resolution",
    target: toReferenceNo(known.id),
    reference: "",
    before: { state: known.state },
    after: approved,
    reason,
    ticket,
  });
  if (act.kind === "done") return findTransfer(reads, known.id);
  if (act.kind !== "approved") throw new ActNotApproved(act);
  return carryOutResolution(deps, known, { ...approved, actId: act.id });
}

export interface ApprovedResolution {
  readonly resolution: TransferResolution;
  /** State that the operators have seen, and how often it had changed by then. */
  readonly seen: RailTransfer["state"];
  readonly seenVersion: number;
  /** Its rail is inquired of before. */
  readonly isAfterInquiry: boolean;
  readonly actId: string;
  /** False: what cannot be recorded now is left to the next call. Absent: true. */
  readonly waits?: boolean;
}

/**
 * A rejection waits until no instruction can reach the rail any more: at most 10 s after each submission. Of an item of a bulk
 * that was never submitted the rail is inquired of before, and what it says stands: the transfer stays queued until then, is
 * not submitted any more, and is rejected once the rail says that it does not have it. Where the transfer has changed so that the
 * act does not apply any more, the act is ended. @throws as `resolveTransfer`
 */
export async function carryOutResolution(
  deps: ResolveTransferDeps,
  known: RailTransfer,
  { resolution, seen, seenVersion, isAfterInquiry, actId, waits = true }: ApprovedResolution,
): Promise<RailTransfer | undefined> {
  const { engine, clock, reads, database } = deps;
  if (resolution === "rejected") await checkNotAhead(deps, known);
  const end = async (transfer: RailTransfer | undefined) => {
    await rejectAct(database, actId, { seen, found: transfer?.state });
    return transfer;
  };
  if (isAfterInquiry) {
    if (known.state === seen) await requestRejection(database, known.id, actId, clock.now());
    const transfer = waits && known.state === seen ? await awaitInquiry(deps, known) : known;
    return transfer.state === seen ? transfer : end(transfer);
  }
  // Another rejection than was approved could pay twice: what the rail has acknowledged meanwhile, or was handed again while the
  // act waited, it pays.
  const guards = { onlyInState: seen, ...(!waits && { onlyAtVersion: seenVersion }) };
  const event = { ...operatorsResult(resolution, actId), ...(resolution === "rejected" && guards) };
  const isAsSeen = ({ state, version }: RailTransfer) => state === seen && (waits || version === seenVersion);
  const until = clock.real() + (waits ? waitMaxMs : 1);
  do {
    const command = () => railEventCommand(known, event, clock.real());
    const outcome = await submitUntilAnswered({ engine, clock }, command, until - clock.real());
    if (outcome.kind === "effect") return outcome.payload;
    if (outcome.kind !== "nothing") break;
    const transfer = await findTransfer(reads, known.id);
    const mayApply = afterEvent(transfer?.state ?? seen, event.event) !== undefined;
    if (!transfer || !mayApply || (resolution === "rejected" && !isAsSeen(transfer))) return end(transfer);
    if (!waits) return transfer;
    // An instruction may still be on its way. Business time may be moved meanwhile.
    await sleep(Math.min(checkEveryMs, Math.max(pauseMs, rejectableFrom(transfer) - clock.now())));
  } while (clock.real() < until);
  throw new ResolutionUnknown(`The result of resolving ${toReferenceNo(known.id)} is unknown: repeat it.`);
}

async function findByNumber(reads: StatementPool, referenceNo: string): Promise<RailTransfer | undefined> {
  const id = fromReferenceNo(referenceNo);
  return id === undefined ? undefined : findTransfer(reads, id);
}

/**
 * A repeat of a forgotten payment has the money of it: once that is given back, the line that was carried is adopted with nobody
 * to debit.
 */
async function checkNotAhead(
  { database, cell = homeCell }: Pick<ResolveTransferDeps, "database" | "cell">,
  { rail }: RailTransfer,
): Promise<void> {
  const command = railsCommand(cell);
  const stopped = await listStopped(database);
  if (!stopped.some((one) => one.rail === rail && one.isAhead)) return;
  throw new RailAhead(
    `Nothing was recorded: the directory of the ${rail} rail has lines that the database has forgotten, and the transfer may repeat one of them. First: ${command} reconcile ${rail}, then ${command} open ${rail}.`,
  );
}

/** A node that is connected to the rail inquires of it. Returns the transfer afterwards, or as it was without a response. */
async function awaitInquiry({ clock, reads }: ResolveTransferDeps, known: RailTransfer): Promise<RailTransfer> {
  const until = clock.monotonic() + inquiryWaitMs;
  for (;;) {
    const transfer = (await findTransfer(reads, known.id)) ?? known;
    if (transfer.version !== known.version || clock.monotonic() > until) return transfer;
    await sleep(checkEveryMs);
  }
}
