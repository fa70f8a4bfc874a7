/** Tables of `titian transfer`: state, amounts and postings of transfers over a rail. */
import { operationByCode } from "@titian/contract";
import type { OpenTransferView, TransferDetailsView } from "@titian/sandbox/types";
import { describeAccount } from "../tables/account.ts";
import { type Field, formatAmounts, formatFields } from "../tables/fields.ts";
import { formatPostings } from "../tables/postings.ts";
import { amountColumn, formatTable } from "../tables/table.ts";

/** Parties, state, amounts and postings. */
export function formatTransfer(transfer: TransferDetailsView): string {
  const { rail, traceNo, rejection, currency, bulk, resolution } = transfer;
  const isDecided = resolution?.by === "operator" || transfer.return?.by === "operator";
  const fields = formatFields([
    ["partner", `${transfer.partnerId}, as ${transfer.partnerReferenceNo}`],
    ["requested via", `service ${transfer.serviceCode}, X-EXTERNAL-ID ${transfer.externalId}`],
    ["bulk", bulk && `${bulk.bulkId}, at position ${bulk.position}`],
    ["rail", traceNo === undefined ? rail : `${rail}, trace number ${traceNo}`],
    ["payer", describeAccount(transfer.payer)],
    ["beneficiary", `${transfer.beneficiaryAccountNo} ${transfer.beneficiaryName}`],
    ["beneficiary bank", [transfer.beneficiaryBankCode, transfer.beneficiaryBankName].filter(Boolean).join(" ")],
    ["state", `${transfer.state} (${transfer.status}): ${transfer.meaning}`],
    ["current account", transfer.currentAccountNo],
    ["accepted", transfer.acceptedAt],
    ["resolved", resolution && describeSource(resolution.by) + describeMoment(transfer)],
    ["returned", transfer.return && describeSource(transfer.return.by)],
    ["reject reason", rejection && `${rejection.kind} (${rejection.responseMessage})`],
    ["acts on it", isDecided ? `titian act list --target ${transfer.referenceNo}` : undefined],
    ["next inquiry", describeNextInquiry(transfer) || undefined],
    ...describeOpenAct(transfer.openAct),
  ]);
  const amounts = [
    ["debited", transfer.debited],
    ["fee", transfer.fee],
    ["sent amount", transfer.amount],
  ] as const;
  // An item was debited with all others of its bulk.
  const postings = transfer.postings.map((posting) =>
    posting.referenceNo === bulk?.bulkId ? { ...posting, kind: `${posting.kind} of the bulk` } : posting,
  );
  return [`Transfer ${transfer.referenceNo}`, fields, formatAmounts(amounts, currency), formatPostings(postings)].join(
    "\n\n",
  );
}

/** Another operator, or a node, has to do something before it is done. */
function describeOpenAct(act: TransferDetailsView["openAct"]): readonly Field[] {
  if (act === undefined) return [];
  const { actId, does, state, proposedBy, proposedAt, expiresAt, reason } = act;
  const waits = state === "proposed" ? `waits for approval until ${expiresAt}` : "approved, a node carries it out";
  return [
    ["open act", `${waits}: titian act show ${actId}`],
    ["does", does],
    ["reason", reason],
    ["proposed", `${proposedAt} by ${proposedBy}`],
  ];
}

interface Awaited {
  readonly state: string;
  readonly bulk?: object | undefined;
  readonly inquiryCount: number;
  readonly nextInquiryAt?: string;
}

/** Empty for a transfer that is resolved. */
export function describeNextInquiry({ bulk, state, nextInquiryAt, inquiryCount }: Awaited): string {
  if (nextInquiryAt !== undefined) return `${nextInquiryAt}, after ${inquiryCount}`;
  return bulk !== undefined && state === "queued" ? "waits for its turn in its bulk" : "";
}

/** Only a call that waits for the rail can be answered with the result. */
function describeMoment({ serviceCode, isResolvedSynchronously }: TransferDetailsView): string {
  if (operationByCode(serviceCode)?.cases.includes("requestInProgress") !== true) return "";
  return isResolvedSynchronously ? ", within the call" : ", after a 202 response";
}

function describeSource(by: string | undefined): string {
  if (by === undefined) return "source not recorded";
  return by === "operator" ? "by an operator" : "by the rail";
}

const listColumns = {
  referenceNo: "transfer",
  rail: "rail",
  payerAccountNo: "payer",
  beneficiaryBankCode: "bank",
  beneficiaryAccountNo: "beneficiary",
  amount: amountColumn("sent amount"),
  currency: "currency",
  state: "state",
  acceptedAt: "accepted",
  inquiryCount: "inquiries",
  next: "next inquiry",
};

export function formatTransfers(transfers: readonly OpenTransferView[]): string {
  const rows = transfers.map((transfer) => ({
    ...transfer,
    next: transfer.nextInquiryAt ?? describeNextInquiry(transfer),
    bulk: transfer.bulk?.bulkId,
  }));
  return formatTable(
    rows.some(({ bulk }) => bulk !== undefined) ? { ...listColumns, bulk: "bulk" } : listColumns,
    rows,
  );
}
