/** Payment requests (19): parties, state, amounts and the resulting transfer. */
import { fromReferenceNo, toReferenceNo } from "../../basics/ids.ts";
import { minor } from "../../ledger/money.ts";
import { type AnsweredBy, paymentRequestRail } from "../../ledger/payment-requests/payment-request.ts";
import {
  paymentRequestState,
  paymentRequestStates,
  type PaymentRequestState,
} from "../../ledger/payment-requests/states.ts";
import { findBank } from "../../ledger/rails/banks.ts";
import { type FeeType, splitFee } from "../../ledger/transfers/fees.ts";
import { parseFacts, type PaymentRequestFacts } from "../../operations/stored-facts.ts";
import { findAccountByNumber, findAccountsById } from "../../store/reads/accounts.ts";
import {
  countOpenRequests,
  findPaymentRequestOf,
  type FoundPaymentRequest,
  listNewestPaymentRequests as readNewest,
  listPaymentRequests as readPaymentRequests,
  type OpenRequestCount,
} from "../../store/reads/payment-requests.ts";
import { type AccountSummary, summarizeAccount } from "../accounts/accounts.ts";
import { listPostings, type PostingSummary } from "../accounts/postings.ts";
import { partnerIdOf, type QueryDeps } from "../query-deps.ts";
import { findTransfer, type TransferDetails } from "./transfers.ts";

export interface PaymentRequestSummary {
  readonly referenceNo: string;
  /** `X-PARTNER-ID`. */
  readonly partnerId: string;
  readonly partnerReferenceNo: string;
  readonly payerAccountNo: string;
  readonly beneficiary: {
    readonly accountNo: string;
    readonly name: string;
    /** As requested: three digits or a BIC. */
    readonly bankCode: string;
    /** Whether the account is ours; else an approval pays over the interbank rail. */
    readonly isOurs: boolean;
  };
  readonly remark: string | undefined;
  /** ISO 4217. */
  readonly currency: string;
  /** Minor units; undefined: an open amount, which the approval names. */
  readonly requestedAmount: bigint | undefined;
  readonly approvedAmount: bigint | undefined;
  /** Who bears the fee of a rail; undefined: `OUR`. */
  readonly feeType: FeeType | undefined;
  readonly state: PaymentRequestState;
  /** Of the state, as a sentence. */
  readonly meaning: string;
  /** Business times (epoch ms). */
  readonly acceptedAt: number;
  readonly expiresAt: number;
  readonly answeredAt: number | undefined;
  readonly answeredBy: AnsweredBy | undefined;
}

export interface PaymentRequestDetails extends PaymentRequestSummary {
  /** `X-EXTERNAL-ID`. */
  readonly externalId: string;
  readonly payer: AccountSummary | undefined;
  /** Undefined for our own bank and an unknown one. */
  readonly beneficiaryBankName: string | undefined;
  /** `latestTransactionStatus` of service 36. */
  readonly status: string;
  /** Over a rail, once it is approved. */
  readonly transfer: TransferDetails | undefined;
  /** Of the approval; those of the rail's result are the transfer's. */
  readonly postings: readonly PostingSummary[];
}

export interface PaymentRequestsPage {
  /** Only those that wait for an answer; else in every state. */
  readonly isWaiting: boolean;
  /** referenceNo before which the page starts; undefined: the newest. */
  readonly before?: string | undefined;
  readonly limit: number;
}

export interface PaymentRequests {
  readonly paymentRequests: readonly PaymentRequestSummary[];
  /** referenceNo before which the next page starts; undefined on the last page. */
  readonly next: string | undefined;
}

/** Payment requests to a payer's account, newest first; undefined when there is no account of this number. */
export async function listPaymentRequests(
  deps: QueryDeps,
  accountNo: string,
  { isWaiting, before, limit }: PaymentRequestsPage,
): Promise<PaymentRequests | undefined> {
  const account = await findAccountByNumber(deps.pool, accountNo);
  if (!account) return undefined;
  const page = await readPaymentRequests(deps.pool, {
    payer: account.id,
    waitingAt: isWaiting ? deps.clock.now() : undefined,
    before: before === undefined ? undefined : fromReferenceNo(before),
    limit,
  });
  const paymentRequests = page.map((found) => summarize(deps, found));
  return { paymentRequests, next: page.length === limit ? paymentRequests.at(-1)?.referenceNo : undefined };
}

/** A page of all payment requests, newest first. */
export async function listNewestPaymentRequests(
  deps: QueryDeps,
  { before, limit }: Omit<PaymentRequestsPage, "isWaiting">,
): Promise<PaymentRequests> {
  const page = await readNewest(deps.pool, {
    before: before === undefined ? undefined : fromReferenceNo(before),
    limit,
  });
  const paymentRequests = page.map((found) => summarize(deps, found));
  return { paymentRequests, next: page.length === limit ? paymentRequests.at(-1)?.referenceNo : undefined };
}

/** Open requests by payer and partner. */
export interface OpenRequestsOfPartner extends Omit<OpenRequestCount, "partner"> {
  /** `X-PARTNER-ID`. */
  readonly partnerId: string;
}

/** The payers with the most open requests first, each with the partners they are from. */
export async function listOpenRequestCounts(deps: QueryDeps, limit: number): Promise<readonly OpenRequestsOfPartner[]> {
  const counts = await countOpenRequests(deps.pool, deps.clock.now(), limit);
  return counts.map(({ partner, ...count }) => ({ ...count, partnerId: partnerIdOf(deps, partner) }));
}

/** The payment request of this referenceNo, or of that of its approval. */
export async function findPaymentRequest(
  deps: QueryDeps,
  referenceNo: string,
): Promise<PaymentRequestDetails | undefined> {
  const id = fromReferenceNo(referenceNo);
  const found = id === undefined ? undefined : await findPaymentRequestOf(deps.pool, id);
  if (!found) return undefined;
  const { approvalJournalId, payer } = found.paymentRequest;
  const summary = summarize(deps, found);
  const [accounts, [transfer, postings]] = await Promise.all([
    findAccountsById(deps.pool, [payer]),
    approvalJournalId === undefined
      ? ([undefined, []] as const)
      : Promise.all([findTransfer(deps, summary.referenceNo), listPostings(deps, [approvalJournalId])]),
  ]);
  const account = accounts.get(payer);
  const bank = findBank(deps.reference.current().rails, summary.beneficiary.bankCode);
  return {
    ...summary,
    externalId: found.externalId,
    payer: account && summarizeAccount(account),
    beneficiaryBankName: bank === undefined || bank === "own" ? undefined : bank.name,
    status: transfer?.status ?? paymentRequestStates[summary.state].status,
    transfer,
    postings,
  };
}

/** Minor units: `debited` is `sentAmount` and `fee`. */
export interface ApprovalQuote {
  readonly debited: bigint;
  readonly fee: bigint;
  readonly sentAmount: bigint;
}

/** What an approval of this amount debits, by the fee of now; undefined when the fee leaves nothing of the amount. */
export function quoteApproval(
  { reference }: Pick<QueryDeps, "reference">,
  { beneficiary, feeType }: Pick<PaymentRequestSummary, "beneficiary" | "feeType">,
  amount: bigint,
): ApprovalQuote | undefined {
  if (beneficiary.isOurs) return { debited: amount, fee: 0n, sentAmount: amount };
  const terms = reference.current().rails.rails[paymentRequestRail];
  const split = splitFee({ ...terms, amount: minor(amount), feeType });
  if (split.kind === "rejection") return undefined;
  return { debited: split.debited, fee: terms.fee, sentAmount: split.sentAmount };
}

function summarize(
  deps: QueryDeps,
  { paymentRequest, payerAccountNo, payload }: FoundPaymentRequest,
): PaymentRequestSummary {
  const { request } = parseFacts<PaymentRequestFacts>(payload);
  const state = paymentRequestState(paymentRequest, deps.clock.now());
  return {
    referenceNo: toReferenceNo(paymentRequest.id),
    partnerId: partnerIdOf(deps, paymentRequest.partner),
    partnerReferenceNo: request.partnerReferenceNo,
    payerAccountNo,
    beneficiary: {
      accountNo: request.beneficiaryAccountNo,
      name: request.beneficiaryAccountName,
      bankCode: request.bankCode,
      isOurs: paymentRequest.beneficiary !== undefined,
    },
    remark: request.remark,
    currency: paymentRequest.currency,
    requestedAmount: paymentRequest.requestedAmount,
    approvedAmount: paymentRequest.approvedAmount,
    feeType: paymentRequest.feeType,
    state,
    meaning: paymentRequestStates[state].meaning,
    acceptedAt: paymentRequest.at,
    expiresAt: paymentRequest.expiresAt,
    answeredAt: paymentRequest.answeredAt,
    answeredBy: paymentRequest.answeredBy,
  };
}
