/** An operator's resolution of a pending transfer, or of a return (spec D11). */
import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../../clock.ts";
import type { Engine } from "../../engine/engine.ts";
import { fromReferenceNo } from "../../ids.ts";
import { submitUntilAnswered } from "../../jobs/submit-until-answered.ts";
import { type RailTransfer, rejectableFrom } from "../../ledger/transfers/transfer.ts";
import { afterEvent } from "../../ledger/transfers/states.ts";
import type { StatementPool } from "../../store/postgres/connect.ts";
import { findTransfer } from "../../store/reads/transfers.ts";
import { type RailEvent, railEventCommand } from "./event-command.ts";

export interface ResolveDeps {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly reads: StatementPool;
}

export type TransferResolution = "settled" | "rejected" | "returned";

const railEventOf: Readonly<Record<TransferResolution, RailEvent>> = {
  settled: { event: "settle", by: "operator" },
  rejected: { event: "reject", rejection: "rejectedByRail", by: "operator" },
  returned: { event: "return", by: "operator" },
};

/** It is not known whether the resolution is recorded; repeating it is safe. */
export class ResolutionUnknown extends Error {
  override readonly name = "ResolutionUnknown";
}

const pauseMs = 100;
const checkEveryMs = 250;
/** More than twice the validity of an instruction: another node may submit the transfer once more meanwhile. */
const waitMaxMs = 30_000;

/**
 * A rejection waits until no instruction can reach the rail any more: at most 10 s after each submission.
 * Returns the transfer as resolved, or as it is where the resolution changes nothing; undefined for an unknown
 * reference number. @throws ResolutionUnknown when the ledger did not answer.
 */
export async function resolveTransfer(
  { engine, clock, reads }: ResolveDeps,
  referenceNo: string,
  decision: TransferResolution,
): Promise<RailTransfer | undefined> {
  const id = fromReferenceNo(referenceNo);
  const known = id === undefined ? undefined : await findTransfer(reads, id);
  if (!known) return undefined;
  const command = () => railEventCommand(known, railEventOf[decision], clock.real());
  const until = clock.real() + waitMaxMs;
  while (clock.real() < until) {
    const outcome = await submitUntilAnswered({ engine, clock }, command, until - clock.real());
    if (outcome.kind === "effect") return outcome.facts;
    if (outcome.kind !== "nothing") break;
    const transfer = await findTransfer(reads, known.id);
    const mayBeRejected = transfer && afterEvent(transfer.state, "reject") !== undefined;
    if (decision !== "rejected" || !mayBeRejected) return transfer;
    // An instruction may still be on its way. Business time may be moved meanwhile.
    await sleep(Math.min(checkEveryMs, Math.max(pauseMs, rejectableFrom(transfer) - clock.now())));
  }
  throw new ResolutionUnknown(`The result of resolving ${referenceNo} is unknown: repeat it.`);
}
