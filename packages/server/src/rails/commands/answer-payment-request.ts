/** The payer's answer to a payment request (19), and the submission of the transfer that an approval makes (spec D12). */
import type { Command, ConfirmedCommit, Outcome } from "../../engine/command.ts";
import { cellOf, fromReferenceNo, newId } from "../../basics/ids.ts";
import { commandTimeoutMs, submitUntilAnswered } from "../../jobs/submit-until-answered.ts";
import type { Account } from "../../ledger/accounts/account.ts";
import { internalAccountNo } from "../../ledger/accounts/internal-accounts.ts";
import { newTransfersPart } from "../../ledger/accounts/suspense-part.ts";
import { businessDay } from "../../ledger/business-day.ts";
import type { Minor } from "../../ledger/money.ts";
import { decideApproval, decideDecline } from "../../ledger/payment-requests/answer.ts";
import { type AnsweredBy, paymentRequestRail } from "../../ledger/payment-requests/payment-request.ts";
import type { Rejection } from "../../ledger/rejection.ts";
import { isBehindMirror, type MirrorPosition } from "../../ledger/transit/transit-account.ts";
import type { RailTransfer } from "../../ledger/transfers/transfer.ts";
import { findPaymentRequestOf, type FoundPaymentRequest } from "../../store/reads/payment-requests.ts";
import type { TransferSender } from "../../interfaces/transfer-sender.ts";
import { readKept, readRequest } from "../instructions/instruction.ts";
import { type ResolveDeps, ResolutionUnknown } from "./resolve-transfer.ts";

export interface ApproveDeps extends ResolveDeps {
  /** Absent where no rail is connected: a node of the service submits the transfer within seconds. */
  readonly sender?: Pick<TransferSender, "send">;
  /** Absent: no other cell is reached, and a request of a beneficiary in one is not approved here. */
  readonly otherCells?: BeneficiariesElsewhere | undefined;
}

/** Beneficiaries in other cells (docs/adr/0094-mirrored-transit.md). */
export interface BeneficiariesElsewhere {
  /** Undefined: nobody can say whether there is such an account, or nothing is shipped there now. */
  see(wanted: WantedBeneficiary): Promise<SeenBeneficiary | undefined>;
  /** Ships what was committed, and waits for a moment until it is there. */
  arrive(entry: { readonly cell: number; readonly currency: string; readonly version: number }): Promise<void>;
}

export interface WantedBeneficiary {
  /** Internal id of the partner. */
  readonly partner: string;
  readonly cell: number;
  readonly accountNo: string;
  readonly currency: string;
}

export interface SeenBeneficiary {
  readonly account: Account | undefined;
  readonly mirror: MirrorPosition | undefined;
}

export interface ApprovalInput {
  /** Minor units of the request's currency; mandatory for an open amount. A fixed amount cannot be changed. */
  readonly amount?: Minor | undefined;
  readonly by: AnsweredBy;
}

export type AnswerResult =
  | { readonly kind: "recorded" }
  /** Nothing changed; unless it is `wrongState`, the request is still waiting. */
  | { readonly kind: "rejected"; readonly rejection: Rejection }
  | { readonly kind: "unknownPaymentRequest" };

/** Time for which an answer is retried while the ledger does not respond. */
const answerMaxMs = 30_000;

/**
 * Approves the payment request of this reference number: it is paid to our account at once, or submitted to the rail.
 * @throws ResolutionUnknown when the ledger did not answer, the beneficiary's cell is away, or its account is on its way there.
 */
export async function approvePaymentRequest(
  deps: ApproveDeps,
  referenceNo: string,
  input: ApprovalInput,
): Promise<AnswerResult> {
  const found = await findRequest(deps, referenceNo);
  if (!found) return { kind: "unknownPaymentRequest" };
  const across = await seeAcross(deps, found, referenceNo);
  const cell = cellOf(found.paymentRequest.id);
  // The same at each try: an approval recognizes itself.
  const ids = { journal: newId(cell), suspense: newId(cell), out: newId(cell) };
  const makeCommand = () =>
    approvalCommand(found, { ...input, ids, across, deadline: deps.clock.real() + commandTimeoutMs });
  const outcome = await submitUntilAnswered(deps, makeCommand, answerMaxMs);
  if (outcome.kind === "nothing" && (await isWaiting(deps, found))) throw awayOf(across?.cell ?? cell, referenceNo);
  if (outcome.kind === "effect") await carryOut(deps, found, outcome, across);
  return resultOf(outcome, referenceNo);
}

/** After an approval its transfer is submitted, or what goes to another cell is shipped. */
async function carryOut(
  deps: ApproveDeps,
  found: FoundPaymentRequest,
  { payload, commit }: Extract<Outcome<ApprovalPayload>, { kind: "effect" }>,
  across: Across | undefined,
): Promise<void> {
  const { transfer, transitVersion: version } = payload;
  if (transfer) await send(deps, found, transfer, commit);
  const { currency } = found.paymentRequest;
  if (across && version !== undefined) await deps.otherCells?.arrive({ cell: across.cell, currency, version });
}

interface Across {
  readonly cell: number;
  readonly seen: SeenBeneficiary;
}

/** The beneficiary as its cell has it, where that is another one. @throws ResolutionUnknown when it is silent. */
async function seeAcross(
  { otherCells }: ApproveDeps,
  { paymentRequest: { partner, currency }, payload }: FoundPaymentRequest,
  referenceNo: string,
): Promise<Across | undefined> {
  const { cell } = JSON.parse(payload) as { readonly cell?: number };
  if (cell === undefined) return undefined;
  const accountNo = String(readRequest(payload)["beneficiaryAccountNo"]);
  const seen = await otherCells?.see({ partner, cell, accountNo, currency });
  if (!seen) throw awayOf(cell, referenceNo);
  return { cell, seen };
}

function awayOf(cell: number, referenceNo: string): ResolutionUnknown {
  return new ResolutionUnknown(
    `${referenceNo} is paid to an account in cell ${cell}, which takes nothing now: repeat it.`,
  );
}

async function isWaiting({ reads }: ApproveDeps, { paymentRequest: { id } }: FoundPaymentRequest): Promise<boolean> {
  return (await findPaymentRequestOf(reads, id))?.paymentRequest.state === "waiting";
}

/** Declines the payment request of this reference number; repeating it changes nothing. @throws ResolutionUnknown as above. */
export async function declinePaymentRequest(
  deps: ResolveDeps,
  referenceNo: string,
  by: AnsweredBy,
): Promise<AnswerResult> {
  const found = await findRequest(deps, referenceNo);
  if (!found) return { kind: "unknownPaymentRequest" };
  const { id } = found.paymentRequest;
  const makeCommand = (): Command<null> => ({
    id: newId(),
    deadline: deps.clock.real() + commandTimeoutMs,
    locks: { paymentRequestId: id },
    decide: (rows, { now }) => {
      const decision = decideDecline({ by, now }, rows.paymentRequest());
      return decision.kind === "effect" ? { kind: "effect", effect: { ...decision.effect, payload: null } } : decision;
    },
  });
  const outcome = await submitUntilAnswered(deps, makeCommand, answerMaxMs);
  return resultOf(outcome, referenceNo);
}

async function findRequest({ reads }: ResolveDeps, referenceNo: string): Promise<FoundPaymentRequest | undefined> {
  const id = fromReferenceNo(referenceNo);
  return id === undefined ? undefined : findPaymentRequestOf(reads, id);
}

function resultOf(
  outcome: { readonly kind: string; readonly rejection?: Rejection },
  referenceNo: string,
): AnswerResult {
  if (outcome.kind === "effect" || outcome.kind === "nothing") return { kind: "recorded" };
  if (outcome.rejection) return { kind: "rejected", rejection: outcome.rejection };
  throw new ResolutionUnknown(`The result of answering ${referenceNo} is unknown: repeat it.`);
}

interface ApprovalPayload {
  /** Over a rail. */
  readonly transfer: RailTransfer | undefined;
  /** To another cell: version of the transit account's entry. */
  readonly transitVersion: number | undefined;
}

interface ApprovalTerms extends ApprovalInput {
  readonly ids: { readonly journal: string; readonly suspense: string; readonly out: string };
  readonly across: Across | undefined;
  readonly deadline: number;
}

function approvalCommand(
  { paymentRequest: known, payload }: FoundPaymentRequest,
  { amount, by, ids, across, deadline }: ApprovalTerms,
): Command<ApprovalPayload> {
  const { id, payer, beneficiary, currency } = known;
  const bankCode = String(readRequest(payload)["bankCode"]);
  const isOverRail = beneficiary === undefined;
  const suspense = ["suspense", currency, paymentRequestRail, newTransfersPart] as const;
  const out = ["transit", currency, "out", across?.cell ?? 0] as const;
  const ours = isOverRail ? suspense : out;
  return {
    id: ids.journal,
    deadline,
    locks: {
      paymentRequestId: id,
      accountIds: isOverRail || across ? [payer] : [payer, beneficiary],
      accountNumbers: isOverRail || across ? [internalAccountNo(...ours)] : [],
    },
    decide: (rows, { now, reference }) => {
      const sent = across && { found: rows.internalAccount(...out), newId: ids.out };
      const decision = decideApproval(
        {
          journal: ids.journal,
          amount,
          by,
          bankCode,
          now,
          day: businessDay(now),
          suspensePart: newTransfersPart,
          suspenseId: ids.suspense,
        },
        rows.paymentRequest(),
        {
          payer: rows.accountById(payer),
          beneficiary: across ? across.seen.account : isOverRail ? undefined : rows.accountById(beneficiary),
          across: across && sent && { cell: across.cell, out: sent },
          suspense: isOverRail ? rows.internalAccount(...suspense) : undefined,
        },
        reference.rails,
      );
      if (decision.kind !== "effect") return decision;
      if (across && isBehindMirror(sent?.found, across.seen.mirror)) return { kind: "nothing" };
      const { transitVersion, ...effect } = decision.effect;
      const [transfer] = effect.newTransfers ?? [];
      return { kind: "effect", effect: { ...effect, payload: { transfer, transitVersion } } };
    },
  };
}

/** Submits like RTGS (22) and SKNBI (23): while the rail is down the transfer is queued, and sent when it returns. */
async function send(
  { sender }: ApproveDeps,
  { payload }: FoundPaymentRequest,
  transfer: RailTransfer,
  commit: ConfirmedCommit,
): Promise<void> {
  const { rail, source, suspensePart } = transfer;
  const kept = readKept(transfer, payload);
  await sender?.send({ ...kept, rail, source, suspensePart, commit }, { waits: "likeInterbank" });
}
