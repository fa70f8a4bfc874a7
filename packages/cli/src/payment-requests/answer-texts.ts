/** Texts for the answer to a payment request: its effect, and why it is not possible. */
import type { ApprovalQuote } from "@titian/server/admin";
import type { PaymentRequestDetailsView } from "@titian/sandbox/types";
import { CliError, usageError } from "../cli-error.ts";
import { showAmount } from "../tables/amounts.ts";

export type Answer = "approved" | "declined";

/** The confirmation question. `paid`: undefined for a decline. */
export function confirmationOf(
  request: PaymentRequestDetailsView,
  paid: string | undefined,
  quote: ApprovalQuote | undefined,
): string {
  const { isOurs, payer, payerAccountNo, partnerId, currency, requestedAmount } = request;
  const money = (amount: bigint) => `${showAmount(amount, currency)} ${currency}`;
  const from = [payerAccountNo, payer?.name].filter(Boolean).join(" ");
  const bank = [request.beneficiaryBankCode, request.beneficiaryBankName].filter(Boolean).join(" ");
  const to = `${request.beneficiaryAccountNo} ${request.beneficiaryName}${isOurs ? "" : `, bank ${bank}`}`;
  const question = "This is final. Record it?";
  if (paid === undefined) {
    const asked = requestedAmount === undefined ? "an open amount" : `${requestedAmount} ${currency}`;
    return `${from} declines to pay ${asked} to ${to}, as ${partnerId} requested.\n${question}`;
  }
  const fee =
    isOurs || quote === undefined
      ? ""
      : ` Over the interbank rail: ${money(quote.debited)} debited, of which ${money(quote.sentAmount)} is sent and ${money(quote.fee)} is the fee.`;
  return `${from} pays ${paid} ${currency} to ${to}, as ${partnerId} requested.${fee}\n${question}`;
}

/** Reason why the answer is not possible; undefined when it is possible. */
export function whyAnswerImpossible(
  { state, answeredBy, answeredAt, expiresAt, currency, requestedAmount }: PaymentRequestDetailsView,
  wanted: Answer,
  amount: string | undefined,
): CliError | undefined {
  const cannot = `It cannot be ${wanted}:`;
  if (state === "expired") {
    return new CliError(
      `${cannot} it expired at ${expiresAt} without an answer. The partner can request the payment anew.`,
    );
  }
  if (state !== "waiting") {
    const by = answeredBy === "operator" ? "an operator" : "the payer";
    return new CliError(`${cannot} it was ${state} by ${by} at ${answeredAt}. An answer is final.`);
  }
  if (wanted === "declined") return undefined;
  if (requestedAmount === undefined) {
    return amount === undefined
      ? usageError(`Its amount is open: give it in ${currency}, --amount 10000.00`)
      : undefined;
  }
  if (amount === undefined || amount === requestedAmount) return undefined;
  return usageError(`Its amount is fixed: ${requestedAmount} ${currency}. Leave --amount out.`);
}
