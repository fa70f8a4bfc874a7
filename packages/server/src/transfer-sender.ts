/** How an operation hands an accepted transfer to its rail: the only seam between `operations` and `rails`. */
import type { Money } from "@titian/contract";
import type { Moment } from "./clock.ts";
import type { RailName } from "./ledger/rails/terms.ts";
import type { TransferResult } from "./ledger/transfers/first-result.ts";

/** A transfer as the write that accepted it keeps it. */
export interface KeptTransfer {
  readonly id: string;
  /** What reaches the beneficiary's bank. */
  readonly sentAmount: Money;
  readonly request: Readonly<Record<string, unknown>>;
}

export interface AcceptedTransfer extends KeptTransfer {
  readonly rail: RailName;
  /** Account id of the payer. */
  readonly source: string;
  /** When the commit that accepted it was sent. */
  readonly sentAt: Moment;
}

/** What the beneficiary's bank says of an account; silent: nothing, or the rail is down. */
export type BeneficiaryResult =
  | { readonly kind: "found"; readonly name: string; readonly currency: string }
  | { readonly kind: "unknown" | "closed" | "silent" };

export interface TransferSender {
  /** Resolves once the rail's first word is recorded, or after half a second: it goes on by itself. */
  send(transfer: AcceptedTransfer): Promise<void>;
  /** Sends it and waits for its result, for as long as a caller is kept waiting. */
  sendWithin(transfer: AcceptedTransfer): Promise<TransferResult>;
  /** "silent" at once as long as the rail has answered none of the calls before. */
  inquireBeneficiary(bankCode: string, accountNo: string): Promise<BeneficiaryResult>;
}
