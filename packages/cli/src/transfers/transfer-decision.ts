/** Texts for an operator's resolution of a transfer: its effect, and why it is not possible. */
import type { TransferResolution, TransferDetails } from "@titian/server/admin";
import { showAmount } from "../tables/amounts.ts";

/** The confirmation question. */
export function confirmationOf(
  transfer: Pick<TransferDetails, "currency" | "sentAmount" | "fee" | "payerAccountNo" | "clearingAccountNo">,
  decision: TransferResolution,
): string {
  const { currency, sentAmount, fee, payerAccountNo, clearingAccountNo } = transfer;
  const text = (amount: bigint) => `${showAmount(amount, currency)} ${currency}`;
  const sentences: Readonly<Record<TransferResolution, string>> = {
    settled: `The rail settled it: ${text(sentAmount)} will be credited to ${clearingAccountNo}, and the fee of ${text(fee)} to the bank.`,
    rejected: `The rail rejected it for good: ${text(sentAmount + fee)} will be credited back to ${payerAccountNo}. If the beneficiary was paid after all, this amount is lost.`,
    returned: `The beneficiary's bank returned it: ${text(sentAmount)} will be credited from ${clearingAccountNo} to ${payerAccountNo}, the fee is kept.`,
  };
  return `${sentences[decision]}\nThis is final. Record it?`;
}

/** Why the resolution is not possible, and what is; undefined when it is possible. */
export function whyImpossible(
  transfer: Pick<TransferDetails, "referenceNo" | "state" | "meaning" | "resolution" | "possibleDecisions">,
  decision: TransferResolution,
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
