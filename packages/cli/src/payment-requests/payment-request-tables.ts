/** Tables of `titian payment-request`: amounts with the currency's decimals. */
import { formatTimestamp } from "@titian/contract";
import type { OpenRequestsOfPartner, PaymentRequestDetails, PaymentRequestSummary } from "@titian/server/admin";
import { describeAccount } from "../accounts/account-tables.ts";
import { showAmount } from "../tables/amounts.ts";
import { formatTable } from "../tables/table.ts";
import { formatPostings } from "../tables/postings.ts";

/** Parties, state, amounts, and the postings once it is paid. */
export function formatPaymentRequest(request: PaymentRequestDetails): string {
  const { beneficiary, currency, state, acceptedAt, expiresAt, transfer } = request;
  const postings = transfer?.postings ?? request.postings;
  const bank = beneficiary.isOurs ? "this bank" : request.beneficiaryBankName;
  const fields: readonly (readonly [string, string | undefined])[] = [
    ["partner", `${request.partnerId}, as ${request.partnerReferenceNo}`],
    ["requested via", `service 19, X-EXTERNAL-ID ${request.externalId}`],
    ["payer", describeAccount(request.payer) ?? request.payerAccountNo],
    ["beneficiary", `${beneficiary.accountNo} ${beneficiary.name}`],
    ["beneficiary bank", [beneficiary.bankCode, bank].filter(Boolean).join(" ")],
    ["remark", request.remark],
    ["state", `${state} (${request.status}): ${request.meaning}`],
    ["accepted", formatTimestamp(acceptedAt)],
    [state === "expired" ? "expired" : "expires", formatTimestamp(expiresAt)],
    ["answered", describeAnswer(request)],
    ["paid by", describePayment(request)],
    ["current account", transfer ? transfer.currentAccountNo : postings[0]?.toAccountNo],
  ];
  const amounts = [
    ["requested amount", showRequested(request)],
    ["approved amount", showOptional(request.approvedAmount, currency)],
    ["fee", showOptional(transfer?.fee, currency)],
    ["sent amount", showOptional(transfer?.sentAmount, currency)],
  ].filter(([, text]) => text !== undefined);
  const width = Math.max(...amounts.map(([, text]) => text?.length ?? 0));
  return [
    `Payment request ${request.referenceNo}`,
    "",
    ...fields.filter(([, text]) => text !== undefined).map(([name, text]) => `${name.padEnd(20)}${text}`),
    "",
    ...amounts.map(([name, text]) => `${name?.padEnd(20)}${text?.padStart(width)} ${currency}`),
    ...(postings.length === 0 ? [] : ["", formatPostings(postings, currency)]),
  ].join("\n");
}

function describeAnswer({ answeredAt, answeredBy }: PaymentRequestSummary): string | undefined {
  if (answeredAt === undefined) return undefined;
  return `${formatTimestamp(answeredAt)}, ${answeredBy === "operator" ? "by an operator" : "by the payer"}`;
}

function describePayment({ transfer, postings }: PaymentRequestDetails): string | undefined {
  if (transfer) return `transfer ${transfer.referenceNo} over ${transfer.rail}: ${transfer.state}, ${transfer.meaning}`;
  const [posting] = postings;
  return posting && `intrabank transfer, journal ${posting.referenceNo}`;
}

const listColumns = {
  referenceNo: "request",
  partnerId: "partner",
  partnerReferenceNo: "partner's number",
  beneficiary: "beneficiary",
  bank: "bank",
  amount: "amount",
  currency: "currency",
  state: "state",
  accepted: "accepted",
  expires: "expires",
};

export function formatPaymentRequests(requests: readonly PaymentRequestSummary[]): string {
  const rows = requests.map((request) => ({
    ...request,
    beneficiary: request.beneficiary.accountNo,
    bank: request.beneficiary.bankCode,
    amount: showOptional(request.approvedAmount, request.currency) ?? showRequested(request),
    accepted: formatTimestamp(request.acceptedAt),
    expires: formatTimestamp(request.expiresAt),
  }));
  return formatTable(listColumns, rows);
}

const payerColumns = {
  payerAccountNo: "payer",
  ofPayer: "open",
  partnerId: "partner",
  count: "of this partner",
  acceptedAt: "first accepted",
  expiresAt: "last expires",
};

export function formatPayers(counts: readonly OpenRequestsOfPartner[]): string {
  return formatTable(payerColumns, counts.map(toPlainCount));
}

/** For JSON: times as in calls. */
export function toPlainCount({ acceptedAt, expiresAt, ...count }: OpenRequestsOfPartner) {
  return { ...count, acceptedAt: formatTimestamp(acceptedAt), expiresAt: formatTimestamp(expiresAt) };
}

/** For JSON: decimal amounts, and times as in calls. An amount of null is open. */
export function toPlainRequest(request: PaymentRequestSummary): object {
  const { currency, requestedAmount, approvedAmount, acceptedAt, expiresAt, answeredAt } = request;
  return {
    ...request,
    requestedAmount: showOptional(requestedAmount, currency) ?? null,
    approvedAmount: showOptional(approvedAmount, currency),
    acceptedAt: formatTimestamp(acceptedAt),
    expiresAt: formatTimestamp(expiresAt),
    answeredAt: answeredAt === undefined ? undefined : formatTimestamp(answeredAt),
  };
}

function showRequested({ requestedAmount, currency }: PaymentRequestSummary): string {
  return showOptional(requestedAmount, currency) ?? "open";
}

function showOptional(amount: bigint | undefined, currency: string): string | undefined {
  return amount === undefined ? undefined : showAmount(amount, currency);
}
