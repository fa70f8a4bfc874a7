/** An operator's resolution of a pending transfer, or of a return (spec D11). */
import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../../basics/clock.ts";
import type { Engine } from "../../engine/engine.ts";
import { fromReferenceNo } from "../../basics/ids.ts";
import { submitUntilAnswered } from "../../jobs/submit-until-answered.ts";
import { type RailTransfer, rejectableFrom } from "../../ledger/transfers/transfer.ts";
import { afterEvent } from "../../ledger/transfers/states.ts";
import { listStopped } from "../../store/tables/rail-records/rail-leases.ts";
import { requestRejection } from "../../store/tables/rail-records/requested-rejections.ts";
import type { StatementPool } from "../../store/postgres/connect.ts";
import { findTransfer } from "../../store/reads/transfers.ts";
import { type RailEvent, railEventCommand } from "./event-command.ts";

export interface ResolveDeps {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly reads: StatementPool;
}

export interface ResolveTransferDeps extends ResolveDeps {
  /** For the plain statements that request a rejection, and look at the rail. */
  readonly database: StatementPool;
  /** The rejection of a queued item is recorded without an inquiry: by the word of the rail's operator. */
  readonly withoutInquiry?: boolean;
}

export type TransferResolution = "settled" | "rejected" | "returned";

export const operatorsRejection: RailEvent = { event: "reject", rejection: "rejectedByRail", by: "operator" };

const railEventOf: Readonly<Record<TransferResolution, RailEvent>> = {
  settled: { event: "settle", by: "operator" },
  rejected: operatorsRejection,
  returned: { event: "return", by: "operator" },
};

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

/**
 * A rejection waits until no instruction can reach the rail any more: at most 10 s after each submission. Of an item of a bulk
 * that was never submitted the rail is inquired of before, and what it says stands: the transfer stays queued until then, is
 * not submitted any more, and is rejected once the rail says that it does not have it.
 * Returns the transfer as resolved, or as it is where the resolution changes nothing (so far); undefined for an unknown
 * reference number. @throws ResolutionUnknown when the ledger did not answer; RailAhead of a rejection over a rail that was
 * handed what the database has forgotten.
 */
export async function resolveTransfer(
  deps: ResolveTransferDeps,
  referenceNo: string,
  decision: TransferResolution,
): Promise<RailTransfer | undefined> {
  const { engine, clock, reads } = deps;
  const id = fromReferenceNo(referenceNo);
  const known = id === undefined ? undefined : await findTransfer(reads, id);
  if (!known) return undefined;
  if (decision === "rejected") await checkNotAhead(deps, known);
  if (decision === "rejected" && known.bulk !== undefined && known.state === "queued" && deps.withoutInquiry !== true)
    return inquireBefore(deps, known);
  const command = () => railEventCommand(known, railEventOf[decision], clock.real());
  const until = clock.real() + waitMaxMs;
  while (clock.real() < until) {
    const outcome = await submitUntilAnswered({ engine, clock }, command, until - clock.real());
    if (outcome.kind === "effect") return outcome.payload;
    if (outcome.kind !== "nothing") break;
    const transfer = await findTransfer(reads, known.id);
    const mayBeRejected = transfer && afterEvent(transfer.state, "reject") !== undefined;
    if (decision !== "rejected" || !mayBeRejected) return transfer;
    // An instruction may still be on its way. Business time may be moved meanwhile.
    await sleep(Math.min(checkEveryMs, Math.max(pauseMs, rejectableFrom(transfer) - clock.now())));
  }
  throw new ResolutionUnknown(`The result of resolving ${referenceNo} is unknown: repeat it.`);
}

/**
 * A repeat of a forgotten payment has the money of it: once that is given back, the line that was carried is adopted with nobody
 * to debit.
 */
async function checkNotAhead(
  { database }: Pick<ResolveTransferDeps, "database">,
  { rail }: RailTransfer,
): Promise<void> {
  const stopped = await listStopped(database);
  if (!stopped.some((one) => one.rail === rail && one.isAhead)) return;
  throw new RailAhead(
    `Nothing was recorded: the directory of the ${rail} rail has lines that the database has forgotten, and the transfer may repeat one of them. First: titian rails reconcile ${rail}, then titian rails open ${rail}.`,
  );
}

/** Has a node that is connected to the rail inquire of it. Returns the transfer afterwards, or as it was without a response. */
async function inquireBefore(deps: ResolveTransferDeps, known: RailTransfer): Promise<RailTransfer> {
  const { clock, reads, database } = deps;
  await requestRejection(database, known.id, clock.now());
  const until = clock.monotonic() + inquiryWaitMs;
  for (;;) {
    const transfer = (await findTransfer(reads, known.id)) ?? known;
    if (transfer.version !== known.version || clock.monotonic() > until) return transfer;
    await sleep(checkEveryMs);
  }
}
