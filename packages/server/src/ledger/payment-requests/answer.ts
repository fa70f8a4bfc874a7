/** The payer's answer to a payment request: an approval pays it like a transfer of its own (spec D12). */
import type { Account, DailyUse } from "../accounts/account.ts";
import type { Minor } from "../money.ts";
import type { Posting } from "../posting.ts";
import type { RailData } from "../rails/terms.ts";
import { type Decision, reject } from "../rejection.ts";
import { payAcrossCells } from "../transit/pay-across-cells.ts";
import type { OutAccount } from "../transit/transit-account.ts";
import { payOverRail } from "../transfers/accept.ts";
import { payWithinBank } from "../transfers/intrabank.ts";
import type { RailTransfer } from "../transfers/transfer.ts";
import { type AnsweredBy, type PaymentRequest, paymentRequestRail } from "./payment-request.ts";
import { mayAnswer } from "./states.ts";

export interface Answer {
  readonly by: AnsweredBy;
  /** Business time (epoch ms). */
  readonly now: number;
}

export interface Approval extends Answer {
  /** Id of the command, and of its journal. */
  readonly journal: string;
  /** Named by an open request's approval alone; a fixed amount may be repeated, not changed. */
  readonly amount: Minor | undefined;
  /** As requested. */
  readonly bankCode: string;
  /** Business day. */
  readonly day: number;
  /** Part of the rail's suspense account. */
  readonly suspensePart: number;
  /** Id of that part, should it have to be opened. */
  readonly suspenseId: string;
}

export interface ApprovalAccounts {
  readonly payer: Account | undefined;
  readonly beneficiary: Account | undefined;
  /** Suspense account of the rail. */
  readonly suspense: Account | undefined;
  /** The beneficiary's account is in another cell, as seen there; what goes to it is credited. */
  readonly across?: { readonly cell: number; readonly out: OutAccount } | undefined;
}

export interface ApprovalEffect {
  readonly paymentRequests: readonly PaymentRequest[];
  readonly postings: readonly Posting[];
  readonly dailyUses: readonly { readonly account: string; readonly use: DailyUse }[];
  readonly newTransfers?: readonly RailTransfer[];
  readonly newAccounts?: readonly Account[];
  /** That of `AcrossEffect`, where it is paid across cells. */
  readonly transitVersion?: number;
}

const serviceCode = 19;

/**
 * Approved once, before it expires. State, limits, hours and funds are checked now; a rejection leaves the request
 * waiting. "nothing" when it is approved already, unless another amount is named; and while the beneficiary's account is on its way
 * from another cell, so that it is still waiting.
 */
export function decideApproval(
  approval: Approval,
  request: PaymentRequest | undefined,
  accounts: ApprovalAccounts,
  data: RailData,
): Decision<ApprovalEffect> {
  if (request?.state === "approved" && [undefined, request.approvedAmount].includes(approval.amount)) {
    return { kind: "nothing" };
  }
  const { journal, by, now } = approval;
  if (!request || !mayAnswer(request, "approve", now)) return reject("wrongState");
  const amount = request.requestedAmount ?? approval.amount;
  if (amount === undefined) return reject("amountMissing", "amount");
  if (approval.amount !== undefined && approval.amount !== amount) return reject("amountDisagrees", "amount");
  if (!accounts.payer) return reject("unknownPayer", "sourceAccountNo");
  if (accounts.beneficiary?.status === "arriving") return { kind: "nothing" };
  const paid = pay(approval, { ...request, amount }, { ...accounts, payer: accounts.payer }, data);
  if (paid.kind !== "effect") return paid;
  const approved = { state: "approved", approvedAmount: amount, approvalJournalId: journal } as const;
  const paymentRequests = [{ ...request, ...approved, answeredAt: now, answeredBy: by }];
  return { kind: "effect", effect: { ...paid.effect, paymentRequests } };
}

function pay(
  { bankCode, now, day, suspensePart, suspenseId }: Approval,
  request: PaymentRequest & { readonly amount: Minor },
  { payer, beneficiary, suspense, across }: ApprovalAccounts & { readonly payer: Account },
  data: RailData,
): Decision<Omit<ApprovalEffect, "paymentRequests">> {
  const { id, partner, amount, currency, feeType } = request;
  if (request.beneficiary !== undefined) {
    const paid = { partner, amount, currency, day };
    return across
      ? payAcrossCells({ ...paid, cell: across.cell }, payer, beneficiary, across.out)
      : payWithinBank(paid, payer, beneficiary);
  }
  const order = { id, partner, service: serviceCode, rail: paymentRequestRail, amount, currency, feeType } as const;
  const accepted = { ...order, beneficiaryBankCode: bankCode, now, day, suspensePart, suspenseId };
  return payOverRail(accepted, payer, suspense, data);
}

export interface DeclineEffect {
  readonly paymentRequests: readonly PaymentRequest[];
}

/** "nothing" when it is declined already. */
export function decideDecline({ by, now }: Answer, request: PaymentRequest | undefined): Decision<DeclineEffect> {
  if (request?.state === "declined") return { kind: "nothing" };
  if (!request || !mayAnswer(request, "decline", now)) return reject("wrongState");
  return {
    kind: "effect",
    effect: { paymentRequests: [{ ...request, state: "declined", answeredAt: now, answeredBy: by }] },
  };
}
