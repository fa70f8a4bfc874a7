/** Texts for the answer to a payment request: its effect, and why it is not possible. */
import { formatTimestamp, operations } from "@titian/contract";
import {
  type AnswerResult,
  type ApprovalQuote,
  type Minor,
  type PaymentRequestDetails,
  summarizeRejection,
} from "@titian/server/admin";
import { CliError, usageError } from "../cli-error.ts";
import { showAmount } from "../tables/amounts.ts";

export type Answer = "approved" | "declined";

type Asked = Pick<
  PaymentRequestDetails,
  "payerAccountNo" | "payer" | "beneficiary" | "beneficiaryBankName" | "partnerId" | "currency" | "requestedAmount"
>;

/** The confirmation question. `paid`: undefined for a decline. */
export function confirmationOf(request: Asked, paid: bigint | undefined, quote: ApprovalQuote | undefined): string {
  const { beneficiary, payer, payerAccountNo, partnerId, currency, requestedAmount } = request;
  const money = (amount: bigint) => `${showAmount(amount, currency)} ${currency}`;
  const from = [payerAccountNo, payer?.name].filter(Boolean).join(" ");
  const bank = [beneficiary.bankCode, request.beneficiaryBankName].filter(Boolean).join(" ");
  const to = `${beneficiary.accountNo} ${beneficiary.name}${beneficiary.isOurs ? "" : `, bank ${bank}`}`;
  const question = "This is final. Record it?";
  if (paid === undefined) {
    const asked = requestedAmount === undefined ? "an open amount" : money(requestedAmount);
    return `${from} declines to pay ${asked} to ${to}, as ${partnerId} requested.\n${question}`;
  }
  const fee =
    beneficiary.isOurs || quote === undefined
      ? ""
      : ` Over the interbank rail: ${money(quote.debited)} debited, of which ${money(quote.sentAmount)} is sent and ${money(quote.fee)} is the fee.`;
  return `${from} pays ${money(paid)} to ${to}, as ${partnerId} requested.${fee}\n${question}`;
}

type Waiting = Pick<
  PaymentRequestDetails,
  "state" | "answeredBy" | "answeredAt" | "expiresAt" | "currency" | "requestedAmount"
>;

/** Why the answer is not possible; undefined when it is possible. */
export function whyAnswerImpossible(
  { state, answeredBy, answeredAt, expiresAt, currency, requestedAmount }: Waiting,
  wanted: Answer,
  amount: Minor | undefined,
): CliError | undefined {
  const cannot = `It cannot be ${wanted}:`;
  if (state === "expired") {
    return new CliError(
      `${cannot} it expired at ${formatTimestamp(expiresAt)} without an answer. The partner can request the payment anew.`,
    );
  }
  if (state !== "waiting") {
    const by = answeredBy === "operator" ? "an operator" : "the payer";
    return new CliError(
      `${cannot} it was ${state} by ${by} at ${formatTimestamp(answeredAt ?? 0)}. An answer is final.`,
    );
  }
  if (wanted === "declined") return undefined;
  if (requestedAmount === undefined) {
    return amount === undefined
      ? usageError(`Its amount is open: give it in ${currency}, --amount 10000.00`)
      : undefined;
  }
  if (amount === undefined || amount === requestedAmount) return undefined;
  return usageError(`Its amount is fixed: ${showAmount(requestedAmount, currency)} ${currency}. Leave --amount out.`);
}

type Rejection = Extract<AnswerResult, { readonly kind: "rejected" }>["rejection"];

const advice: Partial<Record<Rejection["kind"], string>> = {
  insufficientFunds: "The payer's account has less than the amount and its fee.",
  accountInactive: "The account is blocked or closed: titian account status",
  accountDormant: "The account is dormant: titian account status",
  overTransactionLimit: "It is above the payer's limit for one transfer.",
  overDailyLimit: "The payer's daily limit is used up until the next business day.",
  tooManyInPeriod: "The payer's daily number of transfers is used up until the next business day.",
  overRailLimit: "It is above the maximum of the interbank rail: titian rails check",
  belowMinimum: "It is below the minimum of the interbank rail: titian rails check",
};

const service = Number(operations.requestForPayment.code);

/** Why an approval was rejected, which leaves the request waiting. */
export function describeRejection(rejection: Rejection): string {
  const { responseCode, responseMessage } = summarizeRejection(service, rejection);
  const text = `Not approved, and still waiting: ${responseMessage} (${responseCode}).`;
  return [text, advice[rejection.kind]].filter(Boolean).join(" ");
}
