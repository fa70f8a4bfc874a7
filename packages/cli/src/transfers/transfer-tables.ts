/** Tables of `titian transfer`: state, amounts and postings of transfers over a rail. */
import { formatTimestamp, operationByCode } from "@titian/contract";
import type { PostingSummary, TransferDetails, TransferResult, TransferSummary } from "@titian/server/admin";
import { describeAccount } from "../accounts/account-tables.ts";
import { showAmount } from "../tables/amounts.ts";
import { formatPostings } from "../tables/postings.ts";
import { formatTable } from "../tables/table.ts";

/** Parties, state, amounts and postings. */
export function formatTransfer(transfer: TransferDetails): string {
  const { rail, traceNo, beneficiary, rejection, sentAmount, fee, currency, bulk } = transfer;
  const fields: readonly (readonly [string, string | undefined])[] = [
    ["partner", `${transfer.partnerId}, as ${transfer.partnerReferenceNo}`],
    ["requested via", `service ${transfer.service}, X-EXTERNAL-ID ${transfer.externalId}`],
    ["bulk", bulk && `${bulk.bulkId}, at position ${bulk.position}`],
    ["rail", traceNo === undefined ? rail : `${rail}, trace number ${traceNo}`],
    ["payer", describeAccount(transfer.payer)],
    ["beneficiary", `${beneficiary.accountNo} ${beneficiary.name}`],
    ["beneficiary bank", [beneficiary.bankCode, transfer.beneficiaryBankName].filter(Boolean).join(" ")],
    ["state", `${transfer.state} (${transfer.status}): ${transfer.meaning}`],
    ["current account", transfer.currentAccountNo],
    ["accepted", formatTimestamp(transfer.acceptedAt)],
    ["resolved", describeResolution(transfer)],
    ["returned", transfer.return && describeSource(transfer.return)],
    ["reject reason", rejection && `${rejection.kind} (${rejection.responseMessage})`],
    ["next inquiry", describeNextInquiry(transfer) || undefined],
  ];
  const amounts = Object.entries({ debited: sentAmount + fee, fee, "sent amount": sentAmount }).map(
    ([name, amount]) => [name, showAmount(amount, currency)] as const,
  );
  const width = Math.max(...amounts.map(([, text]) => text.length));
  return [
    `Transfer ${transfer.referenceNo}`,
    "",
    ...fields.filter(([, text]) => text !== undefined).map(([name, text]) => `${name.padEnd(20)}${text}`),
    "",
    ...amounts.map(([name, text]) => `${name.padEnd(20)}${text.padStart(width)} ${currency}`),
    "",
    formatPostings(postingsOf(transfer), currency),
  ].join("\n");
}

/** An item was debited with all others of its bulk. */
function postingsOf({ bulk, postings }: TransferDetails): readonly PostingSummary[] {
  return postings.map((posting) =>
    posting.referenceNo === bulk?.bulkId ? { ...posting, kind: `${posting.kind} of the bulk` } : posting,
  );
}

type Awaited = Pick<TransferSummary, "bulk" | "state" | "nextInquiryAt" | "inquiryCount">;

/** Empty for a transfer that is resolved. */
export function describeNextInquiry({ bulk, state, nextInquiryAt, inquiryCount }: Awaited): string {
  if (nextInquiryAt !== undefined) return `${formatTimestamp(nextInquiryAt)}, after ${inquiryCount}`;
  return bulk !== undefined && state === "queued" ? "waits for its turn in its bulk" : "";
}

/** Only a call that waits for the rail can be answered with the result. */
function describeResolution({ resolution, service, isResolvedSynchronously }: TransferDetails): string | undefined {
  if (resolution === undefined) return undefined;
  const by = describeSource(resolution);
  if (operationByCode(service)?.cases.includes("requestInProgress") !== true) return by;
  return isResolvedSynchronously ? `${by}, within the call` : `${by}, after a 202 response`;
}

function describeSource({ by }: TransferResult): string {
  if (by === undefined) return "source not recorded";
  return by === "operator" ? "by an operator" : "by the rail";
}

const listColumns = {
  referenceNo: "transfer",
  rail: "rail",
  payerAccountNo: "payer",
  bank: "bank",
  beneficiary: "beneficiary",
  sentAmount: "sent amount",
  currency: "currency",
  state: "state",
  accepted: "accepted",
  inquiryCount: "inquiries",
  next: "next inquiry",
};

export function formatTransfers(transfers: readonly TransferSummary[]): string {
  const rows = transfers.map(({ beneficiary, ...transfer }) => ({
    ...transfer,
    bank: beneficiary.bankCode,
    beneficiary: beneficiary.accountNo,
    sentAmount: showAmount(transfer.sentAmount, transfer.currency),
    accepted: formatTimestamp(transfer.acceptedAt),
    next:
      transfer.nextInquiryAt === undefined ? describeNextInquiry(transfer) : formatTimestamp(transfer.nextInquiryAt),
    bulk: transfer.bulk?.bulkId,
  }));
  return formatTable(
    rows.some(({ bulk }) => bulk !== undefined) ? { ...listColumns, bulk: "bulk" } : listColumns,
    rows,
  );
}
