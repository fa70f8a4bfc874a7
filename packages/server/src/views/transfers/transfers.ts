/** Transfers over a rail (18, 22, 23, approved 19, items of 20): parties, state, amounts and postings. */
import { fromReferenceNo, toReferenceNo } from "../../basics/ids.ts";
import { internalAccountNo } from "../../ledger/accounts/internal-accounts.ts";
import { findBank } from "../../ledger/rails/banks.ts";
import { afterEvent, type TransferEvent, transferStates, type TransferState } from "../../ledger/transfers/states.ts";
import type { RailTransfer, ResultSource } from "../../ledger/transfers/transfer.ts";
import { bankCodeOf, parsePayload } from "../../operations/stored-payload.ts";
import type { RailPayload } from "../../operations/transfers/rail-transfer.ts";
import type { TransferResolution } from "../../rails/commands/resolve-transfer.ts";
import { findAccountsById } from "../../store/reads/accounts.ts";
import {
  findTransferOf,
  type FoundTransfer,
  listOpenTransfers as readOpenTransfers,
} from "../../store/reads/transfers.ts";
import { summarizeAccount } from "../accounts/accounts.ts";
import { listPostings, type PostingSummary } from "../accounts/postings.ts";
import { idOf, partnerIdOf, type QueryDeps, type Shown } from "../query-deps.ts";
import { summarizeRejection } from "../rejections.ts";

export type TransferSummary = Shown<typeof summarizeTransfer>;
export type TransferDetails = Shown<typeof describeTransfer>;
/** Result with its reporter, and the number of its journal. */
export type TransferResult = Shown<typeof resultOf>;

const eventsOfDecisions: readonly (readonly [TransferResolution, TransferEvent])[] = [
  ["settled", "settle"],
  ["rejected", "reject"],
  ["returned", "return"],
];

interface OpenTransfersPage {
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
    after: idOf(after),
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

export function summarizeTransfer(found: FoundTransfer) {
  const { transfer, payerAccountNo, payload, bulkPosition, dueAt } = found;
  const { rail, service, bulk, currency, sentAmount, fee, state, inquiryCount } = transfer;
  const { request } = parsePayload<RailPayload>(payload);
  return {
    referenceNo: toReferenceNo(transfer.id),
    rail,
    /** Service code as a number. */
    service,
    payerAccountNo,
    beneficiary: {
      accountNo: request.beneficiaryAccountNo,
      name: request.beneficiaryAccountName,
      /** As requested: three digits or a BIC. */
      bankCode: bankCodeOf(request) ?? "",
    },
    currency,
    /** Sent to the beneficiary's bank; the payer was debited it and the fee (minor units). */
    sentAmount,
    fee,
    state,
    /** Position of an item in the request of its bulk (20), from 0. */
    bulk: bulk === undefined ? undefined : { bulkId: toReferenceNo(bulk), position: bulkPosition ?? 0 },
    /** Business time (epoch ms). */
    acceptedAt: transfer.at,
    inquiryCount,
    /** Business time; undefined once it is resolved, and for an item that was never submitted. */
    nextInquiryAt: transfer.resolutionJournalId === undefined ? dueAt : undefined,
  };
}

async function describeTransfer(deps: QueryDeps, found: FoundTransfer) {
  const { transfer, externalId } = found;
  const { resolutionJournalId, returnJournalId, rejection } = transfer;
  const journals = [found.submissionJournalId, resolutionJournalId, returnJournalId].filter(
    (journal) => journal !== undefined,
  );
  const [accounts, moved] = await Promise.all([
    findAccountsById(deps.pool, [transfer.source]),
    listPostings(deps, journals),
  ]);
  const postings = moved.flatMap((posting) => ownPart(transfer, posting));
  const payer = accounts.get(transfer.source);
  const summary = summarizeTransfer(found);
  const bank = findBank(deps.reference.current().rails, summary.beneficiary.bankCode);
  return {
    ...summary,
    /** `X-PARTNER-ID`. */
    partnerId: partnerIdOf(deps, transfer.partner),
    partnerReferenceNo: parsePayload<RailPayload>(found.payload).request.partnerReferenceNo,
    /** `X-EXTERNAL-ID`. */
    externalId,
    /** Number of the rail. */
    traceNo: transfer.traceNo,
    /** When it was last handed to the rail (business time, epoch ms); undefined once the rail has acknowledged it. */
    submittedAt: transfer.submittedAt === 0 ? undefined : transfer.submittedAt,
    payer: payer && summarizeAccount(payer),
    /** Undefined for an unknown bank. */
    beneficiaryBankName: bank === undefined || bank === "own" ? undefined : bank.name,
    /** `latestTransactionStatus` of service 36. */
    status: transferStates[transfer.state].status,
    /** Meaning of the state, as a sentence. */
    meaning: transferStates[transfer.state].meaning,
    /** Account that holds the sent amount now. */
    currentAccountNo: postings.findLast(({ kind }) => kind !== "fee")?.toAccountNo,
    /** Account credited when the rail settles it. */
    clearingAccountNo: internalAccountNo("clearing", transfer.currency, transfer.rail),
    /** Undefined while it is pending. */
    resolution: resultOf(resolutionJournalId, transfer.resolvedBy),
    /** True: it was resolved within its call, without a 202 response. */
    isResolvedSynchronously: transfer.isResolvedSynchronously,
    /** After settlement. */
    return: resultOf(returnJournalId, transfer.returnedBy),
    /** Rejection by the rail. */
    rejection: rejection && summarizeRejection(transfer.service, { kind: rejection }),
    /** Results that an operator may record now (`resolveTransfer`). */
    possibleDecisions: possibleDecisions(transfer.state),
    /** Postings of all its journals, oldest first; of one that settled others, too, its own part, and balances after all of it. */
    postings,
  };
}

/** Part of a posting that is the transfer's: others may be settled by the same journal. Nothing where it has none in it. */
function ownPart({ sentAmount, fee }: RailTransfer, posting: PostingSummary): readonly PostingSummary[] {
  const amount = posting.kind === "settlement" ? sentAmount : posting.kind === "fee" ? fee : posting.amount;
  return amount > 0n ? [{ ...posting, amount }] : [];
}

/** Results that an operator may record of a transfer in this state. */
export function possibleDecisions(state: TransferState): readonly TransferResolution[] {
  return eventsOfDecisions.filter(([, event]) => afterEvent(state, event) !== undefined).map(([decision]) => decision);
}

function resultOf(journal: string | undefined, by: ResultSource | undefined) {
  return journal === undefined ? undefined : { by, referenceNo: toReferenceNo(journal) };
}
