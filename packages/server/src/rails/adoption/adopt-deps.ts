/** Shared by the adoptions of transfers and of bulks. */
import { currencyScale, type Money, parseTimestamp } from "@titian/contract";
import type { Clock } from "../../basics/clock.ts";
import type { Command, Outcome } from "../../engine/command.ts";
import { externalIdKey } from "../../engine/batch/idempotency-keys.ts";
import type { DuplicateKeys } from "../../engine/command.ts";
import type { Engine } from "../../engine/engine.ts";
import { newId } from "../../basics/ids.ts";
import { openAct, type OpenedAct } from "../../jobs/open-act.ts";
import { commandTimeoutMs, submitUntilAnswered } from "../../jobs/submit-until-answered.ts";
import { formatMinor, type Minor } from "../../ledger/money.ts";
import type { RejectionKind } from "../../ledger/rejection.ts";
import type { StatementPool } from "../../store/postgres/connect.ts";
import { rejectAct } from "../../store/tables/acts.ts";
import type { AdoptedInstruction } from "../../store/tables/rail-records/rail-adoptions.ts";
import type { ForgottenPayment } from "./forgotten.ts";

export interface AdoptDeps {
  /** On connections of administration, which alone decides on differences. */
  readonly engine: Engine;
  /** An operator's connections, who proposes. */
  readonly database: StatementPool;
  readonly clock: Clock;
  readonly reads: StatementPool;
  /** Cell of the database. */
  readonly cell: number;
}

/** The approved act of one payment; its parts as `after` has them are those that it can be found again by. */
export async function openAdoption(
  deps: AdoptDeps,
  { rail, referenceNo, currency }: Pick<ForgottenPayment, "rail" | "referenceNo" | "currency">,
  amount: Minor,
  reason: string,
): Promise<OpenedAct> {
  return openAct(deps, {
    id: newId(),
    kind: "adoption",
    target: referenceNo,
    reference: rail,
    before: undefined,
    after: { amount: String(amount), currency },
    reason,
  });
}

/** Ends the act of an adoption that the ledger does not take; one whose outcome is not known is repeated. */
export async function endAdoption({ database }: AdoptDeps, actId: string, outcome: Outcome<unknown>): Promise<void> {
  const { kind } = outcome;
  if (kind === "nothing" || kind === "repeat" || kind === "rejection" || kind === "failed")
    await rejectAct(database, actId, { found: kind });
}

/** Ways in which a line was adopted. */
export type AdoptionKind =
  /** Written back, and its payer debited. */
  | "debited"
  /** Written back, and owed by its payer. */
  | "owed"
  /** The ledger has the transfer, and had forgotten that the rail has it. */
  | "known"
  /** The partner has repeated it, and the repeat was accepted under another number: both are one payment. */
  | "repeated"
  /** Adopted before. */
  | "done";

export type AdoptionResult = { readonly referenceNo: string } & (
  | { readonly kind: AdoptionKind; readonly owedBecause?: RejectionKind | undefined }
  /** A sentence for the operator. */
  | { readonly kind: "refused"; readonly why: string }
);

export function refused(
  payments: readonly Pick<ForgottenPayment, "referenceNo">[],
  why: string,
): readonly AdoptionResult[] {
  return payments.map(({ referenceNo }) => ({ referenceNo, kind: "refused", why }));
}

/** The act was carried out meanwhile. */
export const adoptedBefore = "it was adopted at the same time: repeat it";

/** Nobody would be debited: the rejection gave the money back, and it is final. */
export const wasRejected =
  "its transfer, or its partner's repeat, was rejected, and its payer has the money back: settle it with the partner, then decide --carried";

/** A response that was lost, or a full queue, is tried again for so long; deciding again is harmless. */
const submitMaxMs = 60_000;

export function submitAdoption<Payload>(
  { engine, clock }: AdoptDeps,
  makeCommand: (deadline: number) => Command<Payload>,
): Promise<Outcome<Payload>> {
  return submitUntilAnswered({ engine, clock }, () => makeCommand(clock.real() + commandTimeoutMs), submitMaxMs);
}

/** @throws PostgreSQL's own error where nothing can be written, such as a right that the role lacks. */
export function explainOutcome(outcome: Outcome<unknown>): string {
  if (outcome.kind === "unavailable") throw outcome.error;
  if (outcome.kind === "failed") {
    const { error } = outcome;
    return `the database does not take it: ${error instanceof Error ? error.message : String(error)}`;
  }
  return outcome.kind === "nothing"
    ? "the ledger changed at the same time: repeat it"
    : "the database did not answer, and what became of it is not known: repeat it";
}

/** The keys by which repeats find the request. What it was signed with is not known. */
export function keysOf(
  { partner, service, externalId }: ForgottenPayment,
  own: Pick<DuplicateKeys, "partnerReferenceKey" | "requestFingerprint">,
): DuplicateKeys {
  return {
    ...own,
    partner,
    service,
    externalId,
    externalIdKey: externalIdKey(partner, externalId),
    signatureKey: newId(),
    sentAt: 0,
    // There is no body: repeats are compared by their content.
    bodyHash: own.requestFingerprint,
  };
}

export function instructionOf(
  { rail, referenceNo, line, fence }: ForgottenPayment,
  reason: string,
  { clock }: Pick<AdoptDeps, "clock">,
): AdoptedInstruction {
  const { terms, sequence, validUntil } = line;
  const { idempotencyKey } = terms;
  const until = parseTimestamp(validUntil) ?? 0;
  const decided = { reason, decidedAt: clock.real() };
  return {
    rail,
    referenceNo,
    idempotencyKey,
    terms: JSON.stringify(terms),
    validUntil: until,
    sequence,
    fence,
    ...decided,
  };
}

const instructionsAtOnce = 500;

/** Records that the rail has them; the ledger has their payments. */
export async function adoptInstructions(
  deps: AdoptDeps,
  payments: readonly ForgottenPayment[],
  reason: string,
  kind: AdoptionKind,
): Promise<readonly AdoptionResult[]> {
  const results: AdoptionResult[] = [];
  const slices = (ofAll: readonly ForgottenPayment[], size: number) =>
    Array.from({ length: Math.ceil(ofAll.length / size) }, (_, index) => ofAll.slice(index * size, (index + 1) * size));
  const waiting = slices(payments, instructionsAtOnce);
  for (let some = waiting.shift(); some !== undefined; some = waiting.shift()) {
    const adopted = some.map((payment) => instructionOf(payment, reason, deps));
    const outcome = await submitAdoption(
      deps,
      (deadline): Command<null> => ({
        id: newId(),
        deadline,
        locks: {},
        decide: () => ({ kind: "effect", effect: { payload: null, adopted } }),
      }),
    );
    // One of them that is not taken holds up no other.
    if (outcome.kind === "failed" && some.length > 1) waiting.push(...slices(some, 1));
    else if (outcome.kind === "effect") results.push(...some.map(({ referenceNo }) => ({ referenceNo, kind })));
    else results.push(...refused(some, explainOutcome(outcome)));
  }
  return results;
}

export function moneyOf(amount: Minor, currency: string): Money {
  return { value: formatMinor(amount, currencyScale(currency) ?? 0), currency };
}
