/** Tables of `titian transfer`: state, amounts and postings of transfers over a rail. */
import { formatTimestamp } from "@titian/contract";
import { toReferenceNo } from "../../ids.ts";
import type { Account } from "../../ledger/accounts/account.ts";
import { findBank } from "../../ledger/rails/banks.ts";
import { type PostingKind, postingKinds } from "../../ledger/posting.ts";
import type { RailData } from "../../ledger/rails/terms.ts";
import type { RailTransfer, ResultSource } from "../../ledger/transfers/transfer.ts";
import { transferStates } from "../../ledger/transfers/states.ts";
import { parseFacts } from "../../operations/stored-facts.ts";
import type { RailFacts } from "../../operations/transfers/rail-transfer.ts";
import { rejectionOf } from "../../operations/rejection-cases.ts";
import type { FoundTransfer } from "../../store/reads/found-transfers.ts";
import type { KeptPosting } from "../../store/reads/postings.ts";
import { showAmount } from "../tables/amounts.ts";
import { describeAccount } from "../tables/describe-account.ts";
import { formatTable } from "../tables/table.ts";

export interface TransferDetails {
  readonly found: FoundTransfer;
  /** Of all its journals, in order. */
  readonly postings: readonly KeptPosting[];
  readonly partnerId: string | undefined;
  readonly payer: Account | undefined;
  readonly rails: RailData;
}

/** Parties, state, amounts and postings. */
export function formatTransfer({ found, postings, partnerId = "", payer, rails }: TransferDetails): string {
  const { transfer, externalId } = found;
  const { request } = parseFacts<RailFacts>(found.facts);
  const { status, meaning } = transferStates[transfer.state];
  const { rail, service, traceNo, rejection, state, sentAmount, fee, currency } = transfer;
  const isPending = transfer.resolutionJournalId === undefined;
  const fields: readonly (readonly [string, string | undefined])[] = [
    ["partner", `${partnerId}, as ${request.partnerReferenceNo}`],
    ["requested via", `service ${service}, X-EXTERNAL-ID ${externalId}`],
    ["rail", traceNo === undefined ? rail : `${rail}, trace number ${traceNo}`],
    ["payer", describeAccount(payer)],
    ["beneficiary", `${request.beneficiaryAccountNo} ${request.beneficiaryAccountName}`],
    ["beneficiary bank", describeBank(request.beneficiaryBankCode, rails)],
    ["state", `${state} (${status}): ${meaning}`],
    ["current account", postings.findLast(({ kind }) => kind !== postingKinds.fee)?.toAccountNo],
    ["accepted", formatTimestamp(transfer.at)],
    ["resolved", isPending ? undefined : describeResolution(transfer)],
    ["returned", transfer.returnJournalId && describeSource(transfer.returnedBy)],
    [
      "reject reason",
      rejection && `${rejection} (${rejectionOf({ kind: rejection }, String(service)).responseMessage})`,
    ],
    ["next inquiry", isPending ? `${formatTimestamp(found.dueAt)}, after ${transfer.inquiryCount}` : undefined],
  ];
  const amounts = Object.entries({ debited: sentAmount + fee, fee, "sent amount": sentAmount }).map(
    ([name, amount]) => [name, showAmount(amount, currency)] as const,
  );
  const width = Math.max(...amounts.map(([, text]) => text.length));
  return [
    `Transfer ${toReferenceNo(transfer.id)}`,
    "",
    ...fields.filter(([, text]) => text !== undefined).map(([name, text]) => `${name.padEnd(20)}${text}`),
    "",
    ...amounts.map(([name, text]) => `${name.padEnd(20)}${text.padStart(width)} ${currency}`),
    "",
    formatPostings(postings, currency),
  ].join("\n");
}

/** Only an interbank transfer (18) can be resolved within its call. */
function describeResolution({ resolvedBy, service, isResolvedSynchronously }: RailTransfer): string {
  const by = describeSource(resolvedBy);
  if (service !== 18) return by;
  return isResolvedSynchronously ? `${by}, within the call` : `${by}, after a 202 response`;
}

function describeSource(by: ResultSource | undefined): string {
  if (by === undefined) return "source not recorded";
  return by === "operator" ? "by an operator" : "by the rail";
}

function describeBank(code: string, rails: RailData): string {
  const bank = findBank(rails, code);
  return bank === undefined || bank === "own" ? code : `${code} ${bank.name}`;
}

const postingColumns = { what: "kind", amount: "amount", from: "from", to: "to", at: "time", no: "reference no" };

const kindNames = new Map<number, PostingKind>(
  Object.entries(postingKinds).map(([name, kind]) => [kind, name as PostingKind]),
);

export function formatPostings(postings: readonly KeptPosting[], currency: string): string {
  const rows = postings.map(({ kind, amount, fromAccountNo, toAccountNo, at, journalId }) => ({
    what: kindNames.get(kind) ?? String(kind),
    amount: showAmount(amount, currency),
    from: fromAccountNo,
    to: toAccountNo,
    at: formatTimestamp(at),
    no: toReferenceNo(journalId),
  }));
  return formatTable(postingColumns, rows);
}

const listColumns = {
  no: "transfer",
  rail: "rail",
  payer: "payer",
  bank: "bank",
  beneficiary: "beneficiary",
  sentAmount: "sent amount",
  currency: "currency",
  state: "state",
  accepted: "accepted",
  inquiries: "inquiries",
  next: "next inquiry",
};

export function formatTransfers(found: readonly FoundTransfer[]): string {
  const rows = found.map(({ transfer, payerAccountNo, facts, dueAt }) => {
    const { request } = parseFacts<RailFacts>(facts);
    return {
      no: toReferenceNo(transfer.id),
      rail: transfer.rail,
      payer: payerAccountNo,
      bank: request.beneficiaryBankCode,
      beneficiary: request.beneficiaryAccountNo,
      sentAmount: showAmount(transfer.sentAmount, transfer.currency),
      currency: transfer.currency,
      state: transfer.state,
      accepted: formatTimestamp(transfer.at),
      inquiries: transfer.inquiryCount,
      next: formatTimestamp(dueAt),
    };
  });
  return formatTable(listColumns, rows);
}
