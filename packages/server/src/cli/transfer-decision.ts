/** Texts for an operator's resolution of a transfer: its effect, and why it is not possible. */
import { toReferenceNo } from "../ids.ts";
import { ownAccountNo } from "../ledger/own-accounts.ts";
import type { RailTransfer } from "../ledger/rail-transfer.ts";
import { afterEvent, type TransferEvent, transferStates } from "../ledger/transfer-states.ts";
import type { TransferDecision } from "../rails/decide-transfer.ts";
import { showAmount } from "./amounts.ts";

const eventOf: Readonly<Record<TransferDecision, TransferEvent>> = {
  settled: "settle",
  refused: "refuse",
  returned: "return",
};

/** The confirmation question. */
export function confirmationOf(transfer: RailTransfer, payerAccountNo: string, decision: TransferDecision): string {
  const { rail, currency, travels, fee } = transfer;
  const text = (amount: bigint) => `${showAmount(amount, currency)} ${currency}`;
  const clearing = ownAccountNo("clearing", currency, rail);
  const sentences: Readonly<Record<TransferDecision, string>> = {
    settled: `The rail settled it: ${text(travels)} will be credited to ${clearing}, and the fee of ${text(fee)} to the bank.`,
    refused: `The rail rejected it for good: ${text(travels + fee)} will be credited back to ${payerAccountNo}. If the beneficiary was paid after all, this amount is lost.`,
    returned: `The beneficiary's bank returned it: ${text(travels)} will be credited from ${clearing} to ${payerAccountNo}, the fee is kept.`,
  };
  return `${sentences[decision]}\nThis is final. Record it?`;
}

/** Why the resolution is not possible, and what is; undefined when it is possible. */
export function whyImpossible(transfer: RailTransfer, decision: TransferDecision): string | undefined {
  const { state } = transfer;
  if (afterEvent(state, eventOf[decision]) !== undefined) return undefined;
  const cannot = `It cannot become ${decision}: it is ${state} (${transferStates[state].meaning}).`;
  const number = toReferenceNo(transfer.id);
  if (transfer.endJournal === undefined) {
    return `${cannot} Only a settled transfer can be returned: if it settled, record that first (titian transfer resolve ${number} settled); if not, it is refused.`;
  }
  if (state === "settled") {
    return `${cannot} If it was returned, record that: titian transfer resolve ${number} returned`;
  }
  return `${cannot} A resolution is final. If the rail reports otherwise, settle the difference with its operator and keep a record.`;
}
