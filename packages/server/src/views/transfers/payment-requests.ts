/** Payment requests (19): parties, state, amounts and the resulting transfer. */
import { currencyScale } from "@titian/contract";
import { fromReferenceNo, toReferenceNo } from "../../basics/ids.ts";
import { minor } from "../../ledger/money.ts";
import { paymentRequestRail } from "../../ledger/payment-requests/payment-request.ts";
import { paymentRequestState, paymentRequestStates } from "../../ledger/payment-requests/states.ts";
import { findBank } from "../../ledger/rails/banks.ts";
import { type FeeType, splitFee } from "../../ledger/transfers/fees.ts";
import { parsePayload, type PaymentRequestPayload } from "../../operations/stored-payload.ts";
import { findAccountByNumber, findAccountsById } from "../../store/reads/accounts.ts";
import {
  countOpenRequests,
  findPaymentRequestOf,
  type FoundPaymentRequest,
  listAllPaymentRequests,
  listPaymentRequests as readPaymentRequests,
} from "../../store/reads/payment-requests.ts";
import { summarizeAccount } from "../accounts/accounts.ts";
import { listPostings } from "../accounts/postings.ts";
import { type ListPage, scanList } from "../../store/reads/scan-list.ts";
import { idOf, type NewestFirst, partnerIdOf, type QueryDeps, rangeOf, type Shown } from "../query-deps.ts";
import { findTransfer } from "./transfers.ts";

export type PaymentRequestSummary = Shown<typeof summarize>;
export type PaymentRequestDetails = Shown<typeof findPaymentRequest>;
/** Open requests by payer and partner. */
export type OpenRequestsOfPartner = Shown<typeof listOpenRequestCounts>[number];
export type ApprovalQuote = Shown<typeof quoteApproval>;

/** Payment requests to a payer's account, newest first; undefined when there is no account of this number. */
export async function listPaymentRequests(
  deps: QueryDeps,
  accountNo: string,
  // Only those that wait for an answer; else in every state.
  { isWaiting, before, limit }: NewestFirst & { readonly isWaiting: boolean },
) {
  const account = await findAccountByNumber(deps.pool, accountNo);
  if (!account) return undefined;
  const page = await readPaymentRequests(deps.pool, {
    payer: account.id,
    waitingAt: isWaiting ? deps.clock.now() : undefined,
    before: idOf(before),
    limit,
  });
  return pageOf(deps, page, limit);
}

/** A page of all payment requests that fit a filter; their amounts are the approved or else the requested ones. */
export async function listNewestPaymentRequests(deps: QueryDeps, page: ListPage) {
  const { rows, next, count } = await scanList(page, rangeOf(deps, page), {
    read: (start, limit) => listAllPaymentRequests(deps.pool, { start, limit, isOldestFirst: page.isOldestFirst }),
    idOf: ({ paymentRequest }) => paymentRequest.id,
    factsOf: ({ paymentRequest }) => {
      const { partner, at, currency, requestedAmount, approvedAmount } = paymentRequest;
      const amount = approvedAmount ?? requestedAmount;
      const state = paymentRequestState(paymentRequest, deps.clock.now());
      return { partnerId: partnerIdOf(deps, partner), state, at, amount, scale: currencyScale(currency) };
    },
  });
  const paymentRequests = rows.map((found) => summarize(deps, found));
  return { paymentRequests, next: next === undefined ? undefined : toReferenceNo(next), count };
}

/** `next`: the referenceNo before which the next page starts; undefined on the last page. */
function pageOf(deps: QueryDeps, page: readonly FoundPaymentRequest[], limit: number) {
  const paymentRequests = page.map((found) => summarize(deps, found));
  return { paymentRequests, next: page.length === limit ? paymentRequests.at(-1)?.referenceNo : undefined };
}

/** The payers with the most open requests first, each with the partners they are from. */
export async function listOpenRequestCounts(deps: QueryDeps, limit: number) {
  const counts = await countOpenRequests(deps.pool, deps.clock.now(), limit);
  return counts.map(({ partner, ...count }) => ({ ...count, partnerId: partnerIdOf(deps, partner) }));
}

/** The payment request of this referenceNo, or of that of its approval. */
export async function findPaymentRequest(deps: QueryDeps, referenceNo: string) {
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
    /** `X-EXTERNAL-ID`. */
    externalId: found.externalId,
    payer: account && summarizeAccount(account),
    /** Undefined for our own bank and an unknown one. */
    beneficiaryBankName: bank === undefined || bank === "own" ? undefined : bank.name,
    /** `latestTransactionStatus` of service 36. */
    status: transfer?.status ?? paymentRequestStates[summary.state].status,
    /** Over a rail, once it is approved. */
    transfer,
    /** Postings of the approval; those of the rail's result are the transfer's. */
    postings,
  };
}

/**
 * Debit of an approval of this amount, by the fee of now: `debited` is `sentAmount` and `fee`, in minor units.
 * Undefined when the fee leaves nothing of the amount.
 */
export function quoteApproval(
  { reference }: Pick<QueryDeps, "reference">,
  { isOurs, feeType }: { readonly isOurs: boolean; readonly feeType?: FeeType | undefined },
  amount: bigint,
) {
  if (isOurs) return { debited: amount, fee: 0n, sentAmount: amount };
  const terms = reference.current().rails.rails[paymentRequestRail];
  const split = splitFee({ ...terms, amount: minor(amount), feeType });
  if (split.kind === "rejection") return undefined;
  return { debited: split.debited, fee: terms.fee, sentAmount: split.sentAmount };
}

function summarize(deps: QueryDeps, { paymentRequest, payerAccountNo, payload }: FoundPaymentRequest) {
  const { request } = parsePayload<PaymentRequestPayload>(payload);
  const state = paymentRequestState(paymentRequest, deps.clock.now());
  return {
    referenceNo: toReferenceNo(paymentRequest.id),
    /** `X-PARTNER-ID`. */
    partnerId: partnerIdOf(deps, paymentRequest.partner),
    partnerReferenceNo: request.partnerReferenceNo,
    payerAccountNo,
    beneficiary: {
      accountNo: request.beneficiaryAccountNo,
      name: request.beneficiaryAccountName,
      /** As requested: three digits or a BIC. */
      bankCode: request.bankCode,
      /** True: the account is ours; else an approval pays over the interbank rail. */
      isOurs: paymentRequest.beneficiary !== undefined,
    },
    remark: request.remark,
    currency: paymentRequest.currency,
    /** Minor units; undefined: an open amount, which the approval names. */
    requestedAmount: paymentRequest.requestedAmount,
    approvedAmount: paymentRequest.approvedAmount,
    /** Bearer of a rail's fee; undefined: `OUR`. */
    feeType: paymentRequest.feeType,
    state,
    /** Meaning of the state, as a sentence. */
    meaning: paymentRequestStates[state].meaning,
    /** Business times (epoch ms). */
    acceptedAt: paymentRequest.at,
    expiresAt: paymentRequest.expiresAt,
    answeredAt: paymentRequest.answeredAt,
    answeredBy: paymentRequest.answeredBy,
  };
}
