/** An operator's word on a transfer whose end nobody else can tell, or that came back (decision D11): recorded as such. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../clock.ts";
import type { Engine } from "../engine/engine.ts";
import { fromReferenceNo } from "../ids.ts";
import type { RailTransfer } from "../ledger/rail-transfer.ts";
import type { StatementPool } from "../store/connect.ts";
import { findTransfer } from "../store/reads/transfers.ts";
import { type News, newsCommand } from "./news-command.ts";

export interface DecideDeps {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly reads: StatementPool;
}

export type TransferDecision = "settled" | "refused" | "returned";

const newsOf: Readonly<Record<TransferDecision, News>> = {
  settled: { event: "settle", by: "operator" },
  refused: { event: "refuse", refusal: "rejectedByRail", by: "operator" },
  returned: { event: "return", by: "operator" },
};

/** Nobody knows whether it is recorded: repeating it is safe. */
export class DecisionUnanswered extends Error {
  override readonly name = "DecisionUnanswered";
}

const triesMax = 5;
const pauseMs = 100;

/**
 * The transfer as the decision leaves it, or as it was where the decision changes nothing any more; undefined when there
 * is none of this reference number. @throws DecisionUnanswered when the ledger did not answer.
 */
export async function decideTransfer(
  { engine, clock, reads }: DecideDeps,
  referenceNo: string,
  decision: TransferDecision,
): Promise<RailTransfer | undefined> {
  const id = fromReferenceNo(referenceNo);
  const known = id === undefined ? undefined : await findTransfer(reads, id);
  if (!known) return undefined;
  for (let tries = 0; tries < triesMax; tries += 1) {
    const outcome = await engine.submit(newsCommand(known, newsOf[decision], clock.real()));
    if (outcome.kind === "effect") return outcome.facts;
    if (outcome.kind === "nothing") return findTransfer(reads, known.id);
    await sleep(pauseMs);
  }
  throw new DecisionUnanswered(`The decision on ${referenceNo} got no answer: repeat it.`);
}
