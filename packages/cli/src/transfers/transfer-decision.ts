/** Texts for an operator's resolution of a transfer: its effect, and why it is not possible. */
import type { TransferDetailsView } from "@titian/sandbox/types";

export type Decision = TransferDetailsView["possibleDecisions"][number];

/** The confirmation question. */
export function confirmationOf(
  transfer: Pick<
    TransferDetailsView,
    "currency" | "amount" | "fee" | "debited" | "payerAccountNo" | "clearingAccountNo"
  >,
  decision: Decision,
): string {
  const { currency, amount, fee, debited, payerAccountNo, clearingAccountNo } = transfer;
  const sentences: Readonly<Record<Decision, string>> = {
    settled: `The rail settled it: ${amount} ${currency} will be credited to ${clearingAccountNo}, and the fee of ${fee} ${currency} to the bank.`,
    rejected: `The rail rejected it for good: ${debited} ${currency} will be credited back to ${payerAccountNo}. If the beneficiary was paid after all, this amount is lost.`,
    returned: `The beneficiary's bank returned it: ${amount} ${currency} will be credited from ${clearingAccountNo} to ${payerAccountNo}, the fee is kept.`,
  };
  return `${sentences[decision]}\nThis is final. Record it?`;
}

/** Reason why the resolution is not possible, and what is; undefined when it is possible. */
export function whyImpossible(
  transfer: Pick<TransferDetailsView, "referenceNo" | "state" | "meaning" | "resolution" | "possibleDecisions">,
  decision: Decision,
): string | undefined {
  const { state, meaning, referenceNo, possibleDecisions } = transfer;
  if (possibleDecisions.includes(decision)) return undefined;
  const cannot = `It cannot become ${decision}: it is ${state} (${meaning}).`;
  if (transfer.resolution === undefined) {
    return `${cannot} Only a settled transfer can be returned: if it settled, record that first (titian transfer resolve ${referenceNo} settled); if not, it is rejected.`;
  }
  if (state === "settled") {
    return `${cannot} If it was returned, record that: titian transfer resolve ${referenceNo} returned`;
  }
  return `${cannot} A resolution is final. If the rail reports otherwise, settle the difference with its operator and keep a record.`;
}
