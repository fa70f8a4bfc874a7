/** The payer's answer to a payment request (19), and the submission of the transfer that an approval makes (spec D12). */
import type { Command, ConfirmedCommit } from "../../engine/command.ts";
import { fromReferenceNo, newId } from "../../basics/ids.ts";
import { commandTimeoutMs, submitUntilAnswered } from "../../jobs/submit-until-answered.ts";
import { internalAccountNo } from "../../ledger/accounts/internal-accounts.ts";
import { newTransfersPart } from "../../ledger/accounts/suspense-part.ts";
import { businessDay } from "../../ledger/business-day.ts";
import type { Minor } from "../../ledger/money.ts";
import { decideApproval, decideDecline } from "../../ledger/payment-requests/answer.ts";
import { type AnsweredBy, paymentRequestRail } from "../../ledger/payment-requests/payment-request.ts";
import type { Rejection } from "../../ledger/rejection.ts";
import type { RailTransfer } from "../../ledger/transfers/transfer.ts";
import { findPaymentRequestOf, type FoundPaymentRequest } from "../../store/reads/payment-requests.ts";
import type { TransferSender } from "../../interfaces/transfer-sender.ts";
import { readKept, readRequest } from "../instructions/instruction.ts";
import { type ResolveDeps, ResolutionUnknown } from "./resolve-transfer.ts";

export interface ApproveDeps extends ResolveDeps {
  /** Absent where no rail is connected: a node of the service submits the transfer within seconds. */
  readonly sender?: Pick<TransferSender, "send">;
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
 * @throws ResolutionUnknown when the ledger did not answer.
 */
export async function approvePaymentRequest(
  deps: ApproveDeps,
  referenceNo: string,
  input: ApprovalInput,
): Promise<AnswerResult> {
  const found = await findRequest(deps, referenceNo);
  if (!found) return { kind: "unknownPaymentRequest" };
  // The same at each try: an approval recognizes itself.
  const ids = { journal: newId(), suspense: newId() };
  const makeCommand = () => approvalCommand(found, { ...input, ids, deadline: deps.clock.real() + commandTimeoutMs });
  const outcome = await submitUntilAnswered(deps, makeCommand, answerMaxMs);
  if (outcome.kind === "effect" && outcome.payload.transfer)
    await send(deps, found, outcome.payload.transfer, outcome.commit);
  return resultOf(outcome, referenceNo);
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
}

interface ApprovalTerms extends ApprovalInput {
  readonly ids: { readonly journal: string; readonly suspense: string };
  readonly deadline: number;
}

function approvalCommand(
  { paymentRequest: known, payload }: FoundPaymentRequest,
  { amount, by, ids, deadline }: ApprovalTerms,
): Command<ApprovalPayload> {
  const { id, payer, beneficiary, currency } = known;
  const bankCode = String(readRequest(payload)["bankCode"]);
  const isOverRail = beneficiary === undefined;
  const suspense = ["suspense", currency, paymentRequestRail, newTransfersPart] as const;
  return {
    id: ids.journal,
    deadline,
    locks: {
      paymentRequestId: id,
      accountIds: isOverRail ? [payer] : [payer, beneficiary],
      accountNumbers: isOverRail ? [internalAccountNo(...suspense)] : [],
    },
    decide: (rows, { now, reference }) => {
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
          beneficiary: isOverRail ? undefined : rows.accountById(beneficiary),
          suspense: isOverRail ? rows.internalAccount(...suspense) : undefined,
        },
        reference.rails,
      );
      if (decision.kind !== "effect") return decision;
      const [transfer] = decision.effect.newTransfers ?? [];
      return { kind: "effect", effect: { ...decision.effect, payload: { transfer } } };
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
