/** How an operation hands an accepted transfer to its rail; `compose` gives the dispatcher behind it. */
import type { Money } from "@titian/contract";
import type { Moment } from "../../clock.ts";
import type { RailName } from "../../ledger/rails/terms.ts";
import type { TransferResult } from "../../ledger/transfers/first-result.ts";

export interface AcceptedTransfer {
  readonly id: string;
  readonly rail: RailName;
  /** Account id of the payer. */
  readonly source: string;
  /** What reaches the beneficiary's bank. */
  readonly sentAmount: Money;
  /** The request as it is kept. */
  readonly request: Readonly<Record<string, unknown>>;
  /** When the commit that accepted it was sent. */
  readonly sentAt: Moment;
}

/** What an answer of another bank's directory is. */
export type BeneficiaryResult =
  | { readonly kind: "found"; readonly name: string; readonly currency: string }
  | { readonly kind: "unknown" | "closed" | "silent" };

export interface TransferSender {
  /** Sends it; resolves once the rail's first word is recorded, or soon without it: whatever comes of it is recorded. */
  send(transfer: AcceptedTransfer): Promise<void>;
  /** Sends it and waits for its result, for as long as a caller is kept waiting. */
  sendWithin(transfer: AcceptedTransfer): Promise<TransferResult>;
  inquireBeneficiary(bankCode: string, accountNo: string): Promise<BeneficiaryResult>;
}
