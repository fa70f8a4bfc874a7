/** Tables of `titian payment-request`. */
import type { PaymentRequestDetailsView, PaymentRequestView } from "@titian/sandbox/types";
import type { Answer } from "../control/call-row.ts";
import { describeAccount } from "../tables/account.ts";
import { formatAmounts, formatFields } from "../tables/fields.ts";
import { formatPostings } from "../tables/postings.ts";
import { amountColumn, formatTable } from "../tables/table.ts";

/** Parties, state, amounts, and the postings once it is paid. */
export function formatPaymentRequest(request: PaymentRequestDetailsView): string {
  const { state, transfer, answeredAt } = request;
  const postings = transfer?.postings ?? request.postings;
  const bank = request.isOurs ? "this bank" : request.beneficiaryBankName;
  const by = request.answeredBy === "operator" ? "by an operator" : "by the payer";
  const fields = formatFields([
    ["partner", `${request.partnerId}, as ${request.partnerReferenceNo}`],
    ["requested via", `service 19, X-EXTERNAL-ID ${request.externalId}`],
    ["payer", describeAccount(request.payer) ?? request.payerAccountNo],
    ["beneficiary", `${request.beneficiaryAccountNo} ${request.beneficiaryName}`],
    ["beneficiary bank", [request.beneficiaryBankCode, bank].filter(Boolean).join(" ")],
    ["remark", request.remark],
    ["state", `${state} (${request.status}): ${request.meaning}`],
    ["accepted", request.acceptedAt],
    [state === "expired" ? "expired" : "expires", request.expiresAt],
    ["answered", answeredAt && `${answeredAt}, ${by}`],
    ["paid by", describePayment(request)],
    ["current account", transfer ? transfer.currentAccountNo : postings[0]?.toAccountNo],
  ]);
  const amounts = [
    ["requested amount", request.requestedAmount ?? "open"],
    ["approved amount", request.approvedAmount],
    ["fee", transfer?.fee],
    ["sent amount", transfer?.amount],
  ] as const;
  return [
    `Payment request ${request.referenceNo}`,
    fields,
    formatAmounts(amounts, request.currency),
    ...(postings.length === 0 ? [] : [formatPostings(postings)]),
  ].join("\n\n");
}

function describePayment({ transfer, postings }: PaymentRequestDetailsView): string | undefined {
  if (transfer) return `transfer ${transfer.referenceNo} over ${transfer.rail}: ${transfer.state}, ${transfer.meaning}`;
  const [posting] = postings;
  return posting && `intrabank transfer, journal ${posting.referenceNo}`;
}

const listColumns = {
  referenceNo: "request",
  partnerId: "partner",
  partnerReferenceNo: "partner's number",
  beneficiaryAccountNo: "beneficiary",
  beneficiaryBankCode: "bank",
  amount: amountColumn("amount"),
  currency: "currency",
  state: "state",
  acceptedAt: "accepted",
  expiresAt: "expires",
};

export function formatPaymentRequests(requests: readonly PaymentRequestView[]): string {
  return formatTable(
    listColumns,
    requests.map((request) => ({ ...request, amount: request.amount ?? "open" })),
  );
}

const payerColumns = {
  payerAccountNo: "payer",
  ofPayer: "open",
  partnerId: "partner",
  count: "of this partner",
  acceptedAt: "first accepted",
  expiresAt: "last expires",
};

export function formatPayers(payers: Answer<"GET /payment-requests/payers">["payers"]): string {
  return formatTable(payerColumns, payers);
}
