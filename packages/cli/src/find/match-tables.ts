/** Tables of `titian find`: one for each kind of record, in the order of the newest. */
import type { Answer } from "../control/call-row.ts";
import { plain } from "../tables/plain.ts";
import { amountColumn, formatTable } from "../tables/table.ts";

type Match = Answer<"GET /search">["matches"][number];
type Reason = Match["reasons"][number];

const titles: Readonly<Record<Match["kind"], string>> = {
  account: "Accounts",
  payment: "Payments",
  transfer: "Transfers",
  paymentRequest: "Payment requests",
  bulk: "Bulks",
  bulkItem: "Items of bulks",
  notification: "Notifications",
  rejection: "Rejected requests",
  call: "Calls",
};

const columns = {
  number: "number",
  partnerId: "partner",
  amount: amountColumn("amount"),
  state: "state",
  at: "time",
  name: "name",
  reason: "found by",
};

/** A column in which no record of the kind has anything is left out. */
export function formatMatches(matches: readonly Match[]): string {
  const groups = [...Map.groupBy(matches, ({ kind }) => kind)];
  return groups
    .map(([kind, ofKind]) => {
      const rows = ofKind.map(rowOf);
      const used = Object.entries(columns).filter(([name]) =>
        rows.some((row) => row[name as keyof typeof columns] !== ""),
      );
      return `${titles[kind]}\n\n${formatTable(Object.fromEntries(used) as typeof columns, rows)}`;
    })
    .join("\n\n");
}

function rowOf({ kind, referenceNo, accountNo, amount, currency, state, status, at, reasons, ...match }: Match) {
  return {
    number: (kind === "account" ? accountNo : (referenceNo ?? match.correlationId)) ?? "",
    partnerId: match.partnerId ?? "",
    amount: amount === undefined ? "" : `${amount} ${currency ?? ""}`.trim(),
    state: state ?? status ?? match.responseCode ?? "",
    at: at ?? "",
    name: plain(match.name ?? match.responseMessage),
    reason: reasons.map(describeReason).join(", "),
  };
}

const said: Readonly<Record<Reason["by"], string>> = {
  referenceNo: "our number",
  captureNo: "capture number",
  voidNo: "void number",
  refundNo: "refund number",
  bulkId: "bulk id",
  journal: "journal",
  traceNo: "trace number",
  notificationExternalId: "the notification's external id",
  correlationId: "correlation id",
  externalId: "external id",
  partnerReferenceNo: "partner's number",
  partnerCaptureNo: "partner's capture number",
  partnerVoidNo: "partner's void number",
  partnerRefundNo: "partner's refund number",
  partnerBulkId: "partner's bulk id",
  customerReference: "customer reference",
  amount: "amount",
  payerAccountNo: "payer's account",
  beneficiaryAccountNo: "beneficiary's account",
  accountNo: "account",
  holderName: "holder's name",
  payerName: "payer's name",
  beneficiaryName: "beneficiary's name",
};

function describeReason({ by, day }: Reason): string {
  return day === undefined ? said[by] : `${said[by]} on ${day}`;
}
