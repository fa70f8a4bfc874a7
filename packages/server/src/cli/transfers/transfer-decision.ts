/** Texts for an operator's resolution of a transfer: its effect, and why it is not possible. */
import { toReferenceNo } from "../../ids.ts";
import { internalAccountNo } from "../../ledger/accounts/internal-accounts.ts";
import type { RailTransfer } from "../../ledger/transfers/transfer.ts";
import { afterEvent, type TransferEvent, transferStates } from "../../ledger/transfers/states.ts";
import type { TransferDecision } from "../../rails/resolve-transfer.ts";
import { showAmount } from "../tables/amounts.ts";

const eventOf: Readonly<Record<TransferDecision, TransferEvent>> = {
  settled: "settle",
  rejected: "reject",
  returned: "return",
};

/** The confirmation question. */
export function confirmationOf(transfer: RailTransfer, payerAccountNo: string, decision: TransferDecision): string {
  const { rail, currency, sentAmount, fee } = transfer;
  const text = (amount: bigint) => `${showAmount(amount, currency)} ${currency}`;
  const clearing = internalAccountNo("clearing", currency, rail);
  const sentences: Readonly<Record<TransferDecision, string>> = {
    settled: `The rail settled it: ${text(sentAmount)} will be credited to ${clearing}, and the fee of ${text(fee)} to the bank.`,
    rejected: `The rail rejected it for good: ${text(sentAmount + fee)} will be credited back to ${payerAccountNo}. If the beneficiary was paid after all, this amount is lost.`,
    returned: `The beneficiary's bank returned it: ${text(sentAmount)} will be credited from ${clearing} to ${payerAccountNo}, the fee is kept.`,
  };
  return `${sentences[decision]}\nThis is final. Record it?`;
}

/** Why the resolution is not possible, and what is; undefined when it is possible. */
export function whyImpossible(transfer: RailTransfer, decision: TransferDecision): string | undefined {
  const { state } = transfer;
  if (afterEvent(state, eventOf[decision]) !== undefined) return undefined;
  const cannot = `It cannot become ${decision}: it is ${state} (${transferStates[state].meaning}).`;
  const number = toReferenceNo(transfer.id);
  if (transfer.resolutionJournalId === undefined) {
    return `${cannot} Only a settled transfer can be returned: if it settled, record that first (titian transfer resolve ${number} settled); if not, it is rejected.`;
  }
  if (state === "settled") {
    return `${cannot} If it was returned, record that: titian transfer resolve ${number} returned`;
  }
  return `${cannot} A resolution is final. If the rail reports otherwise, settle the difference with its operator and keep a record.`;
}
