/** Transfers over a rail (18, 22, 23, approved 19, items of 20): parties, state, amounts and postings. */
import { fromReferenceNo, toReferenceNo } from "../../basics/ids.ts";
import { internalAccountNo } from "../../ledger/accounts/internal-accounts.ts";
import { findBank } from "../../ledger/rails/banks.ts";
import type { RailName } from "../../ledger/rails/terms.ts";
import { afterEvent, type TransferEvent, transferStates, type TransferState } from "../../ledger/transfers/states.ts";
import type { ResultSource } from "../../ledger/transfers/transfer.ts";
import { bankCodeOf, parseFacts } from "../../operations/stored-facts.ts";
import type { RailFacts } from "../../operations/transfers/rail-transfer.ts";
import type { TransferResolution } from "../../rails/commands/resolve-transfer.ts";
import { findAccountsById } from "../../store/reads/accounts.ts";
import {
  findTransferOf,
  type FoundTransfer,
  listOpenTransfers as readOpenTransfers,
} from "../../store/reads/transfers.ts";
import { type AccountSummary, summarizeAccount } from "../accounts/accounts.ts";
import { listPostings, type PostingSummary } from "../accounts/postings.ts";
import { partnerIdOf, type QueryDeps } from "../query-deps.ts";
import { type RejectionSummary, summarizeRejection } from "../rejections.ts";

export interface TransferSummary {
  readonly referenceNo: string;
  readonly rail: RailName;
  /** Service code as a number. */
  readonly service: number;
  readonly payerAccountNo: string;
  readonly beneficiary: {
    readonly accountNo: string;
    readonly name: string;
    /** As requested: three digits or a BIC. */
    readonly bankCode: string;
  };
  /** ISO 4217. */
  readonly currency: string;
  /** Sent to the beneficiary's bank, in minor units. */
  readonly sentAmount: bigint;
  /** In minor units; the payer was debited the sent amount and the fee. */
  readonly fee: bigint;
  readonly state: TransferState;
  /** Of an item of a bulk (20). */
  readonly bulk: BulkPosition | undefined;
  /** Business time (epoch ms). */
  readonly acceptedAt: number;
  readonly inquiryCount: number;
  /** Business time (epoch ms); undefined once it is resolved, and for an item that was never submitted. */
  readonly nextInquiryAt: number | undefined;
}

/** Where an item stands in its bulk. */
export interface BulkPosition {
  readonly bulkId: string;
  /** In the request, from 0. */
  readonly position: number;
}

/** Who reported a result, and the number of its journal. */
export interface TransferResult {
  /** Undefined when it was not recorded. */
  readonly by: ResultSource | undefined;
  readonly referenceNo: string;
}

export interface TransferDetails extends TransferSummary {
  /** `X-PARTNER-ID`. */
  readonly partnerId: string;
  readonly partnerReferenceNo: string;
  /** `X-EXTERNAL-ID`. */
  readonly externalId: string;
  /** Number of the rail. */
  readonly traceNo: string | undefined;
  /** When it was last handed to the rail (business time, epoch ms); undefined once the rail has acknowledged it. */
  readonly submittedAt: number | undefined;
  readonly payer: AccountSummary | undefined;
  /** Undefined for an unknown bank. */
  readonly beneficiaryBankName: string | undefined;
  /** `latestTransactionStatus` of service 36. */
  readonly status: string;
  /** Of the state, as a sentence. */
  readonly meaning: string;
  /** Account that holds the sent amount now. */
  readonly currentAccountNo: string | undefined;
  /** Account credited when the rail settles it. */
  readonly clearingAccountNo: string;
  /** Undefined while it is pending. */
  readonly resolution: TransferResult | undefined;
  /** Whether it was resolved within its call, without a 202 response. */
  readonly isResolvedSynchronously: boolean;
  /** After settlement. */
  readonly return: TransferResult | undefined;
  /** Of the rail. */
  readonly rejection: RejectionSummary | undefined;
  /** Results that an operator may record now (`resolveTransfer`). */
  readonly possibleDecisions: readonly TransferResolution[];
  /** Of all its journals, oldest first. */
  readonly postings: readonly PostingSummary[];
}

const eventsOfDecisions: readonly (readonly [TransferResolution, TransferEvent])[] = [
  ["settled", "settle"],
  ["rejected", "reject"],
  ["returned", "return"],
];

export interface OpenTransfersPage {
  /** referenceNo after which the page starts; undefined: the oldest. */
  readonly after?: string | undefined;
  /** Only those pending for at least this time (ms of business time). */
  readonly olderThanMs?: number | undefined;
  /** Also items of bulks that have not been pending for long: they may be many. */
  readonly withItems?: boolean | undefined;
  readonly limit: number;
}

/** A page of pending transfers, oldest first. */
export async function listOpenTransfers(
  { pool, clock }: QueryDeps,
  { after, olderThanMs, withItems = false, limit }: OpenTransfersPage,
): Promise<readonly TransferSummary[]> {
  const page = await readOpenTransfers(pool, {
    after: after === undefined ? undefined : fromReferenceNo(after),
    acceptedUntil: olderThanMs === undefined ? undefined : Math.max(0, clock.now() - olderThanMs),
    withItems,
    limit,
  });
  return page.map(summarizeTransfer);
}

/** The transfer of this referenceNo, or of that of its approval, resolution or return. */
export async function findTransfer(deps: QueryDeps, number: string): Promise<TransferDetails | undefined> {
  const id = fromReferenceNo(number);
  const found = id === undefined ? undefined : await findTransferOf(deps.pool, id);
  return found && describeTransfer(deps, found);
}

export function summarizeTransfer(found: FoundTransfer): TransferSummary {
  const { transfer, payerAccountNo, facts, bulkPosition, dueAt } = found;
  const { rail, service, bulk, currency, sentAmount, fee, state, inquiryCount } = transfer;
  const { request } = parseFacts<RailFacts>(facts);
  return {
    referenceNo: toReferenceNo(transfer.id),
    rail,
    service,
    payerAccountNo,
    beneficiary: {
      accountNo: request.beneficiaryAccountNo,
      name: request.beneficiaryAccountName,
      bankCode: bankCodeOf(request) ?? "",
    },
    currency,
    sentAmount,
    fee,
    state,
    bulk: bulk === undefined ? undefined : { bulkId: toReferenceNo(bulk), position: bulkPosition ?? 0 },
    acceptedAt: transfer.at,
    inquiryCount,
    nextInquiryAt: transfer.resolutionJournalId === undefined ? dueAt : undefined,
  };
}

async function describeTransfer(deps: QueryDeps, found: FoundTransfer): Promise<TransferDetails> {
  const { transfer, externalId } = found;
  const { resolutionJournalId, returnJournalId, rejection } = transfer;
  const journals = [found.submissionJournalId, resolutionJournalId, returnJournalId].filter(
    (journal) => journal !== undefined,
  );
  const [accounts, postings] = await Promise.all([
    findAccountsById(deps.pool, [transfer.source]),
    listPostings(deps, journals),
  ]);
  const payer = accounts.get(transfer.source);
  const summary = summarizeTransfer(found);
  const bank = findBank(deps.reference.current().rails, summary.beneficiary.bankCode);
  return {
    ...summary,
    partnerId: partnerIdOf(deps, transfer.partner),
    partnerReferenceNo: parseFacts<RailFacts>(found.facts).request.partnerReferenceNo,
    externalId,
    traceNo: transfer.traceNo,
    submittedAt: transfer.submittedAt === 0 ? undefined : transfer.submittedAt,
    payer: payer && summarizeAccount(payer),
    beneficiaryBankName: bank === undefined || bank === "own" ? undefined : bank.name,
    status: transferStates[transfer.state].status,
    meaning: transferStates[transfer.state].meaning,
    currentAccountNo: postings.findLast(({ kind }) => kind !== "fee")?.toAccountNo,
    clearingAccountNo: internalAccountNo("clearing", transfer.currency, transfer.rail),
    resolution: resultOf(resolutionJournalId, transfer.resolvedBy),
    isResolvedSynchronously: transfer.isResolvedSynchronously,
    return: resultOf(returnJournalId, transfer.returnedBy),
    rejection: rejection && summarizeRejection(transfer.service, { kind: rejection }),
    possibleDecisions: possibleDecisions(transfer.state),
    postings,
  };
}

/** Results that an operator may record of a transfer in this state. */
export function possibleDecisions(state: TransferState): readonly TransferResolution[] {
  return eventsOfDecisions.filter(([, event]) => afterEvent(state, event) !== undefined).map(([decision]) => decision);
}

function resultOf(journal: string | undefined, by: ResultSource | undefined): TransferResult | undefined {
  return journal === undefined ? undefined : { by, referenceNo: toReferenceNo(journal) };
}
