/** An operator's decision on a transfer, in words: what it will move, and why it cannot be taken. */
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

/** What is asked before it is recorded. */
export function foresee(transfer: RailTransfer, payerAccountNo: string, decision: TransferDecision): string {
  const { rail, currency, travels, fee } = transfer;
  const text = (amount: bigint) => `${showAmount(amount, currency)} ${currency}`;
  const clearing = ownAccountNo("clearing", currency, rail);
  const sentences: Readonly<Record<TransferDecision, string>> = {
    settled: `The rail carried it: ${text(travels)} go to ${clearing}, and the fee of ${text(fee)} is ours.`,
    refused: `The rail did not carry it and never will: ${text(travels + fee)} go back to ${payerAccountNo}. Had the beneficiary been paid, they would be lost.`,
    returned: `It came back from the beneficiary's bank: ${text(travels)} go from ${clearing} back to ${payerAccountNo}, the fee stays.`,
  };
  return `${sentences[decision]}\nThis cannot be taken back. Record it?`;
}

/** Why the decision changes nothing any more, and what would; undefined: it can be taken. */
export function refuseDecision(transfer: RailTransfer, decision: TransferDecision): string | undefined {
  const { state } = transfer;
  if (afterEvent(state, eventOf[decision]) !== undefined) return undefined;
  const cannot = `It cannot become ${decision}: it is ${state} (${transferStates[state].meaning}).`;
  const number = toReferenceNo(transfer.id);
  if (transfer.endJournal === undefined) {
    return `${cannot} Only what settled comes back: if it did settle, record that first (titian transfer resolve ${number} settled); if it never did, it is refused.`;
  }
  if (state === "settled") {
    return `${cannot} If the money came back, record that: titian transfer resolve ${number} returned`;
  }
  return `${cannot} The first word stands. If the rail says otherwise, settle the difference with it and keep a record of it.`;
}
