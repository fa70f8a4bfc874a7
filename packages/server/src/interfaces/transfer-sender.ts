/** Submission of accepted transfers: the only interface between `operations` and `rails`. */
import type { Money } from "@titian/contract";
import type { ConfirmedCommit } from "../engine/command.ts";
import type { RailName } from "../ledger/rails/terms.ts";
import type { TransferResult } from "../ledger/transfers/first-result.ts";

/** A transfer as stored with its request. */
export interface KeptTransfer {
  readonly id: string;
  /** Internal id of the partner. */
  readonly partner: string;
  /** Service code. */
  readonly service: number;
  /** Amount that the beneficiary's bank gets. */
  readonly sentAmount: Money;
  readonly request: Readonly<Record<string, unknown>>;
}

export interface AcceptedTransfer extends KeptTransfer {
  readonly rail: RailName;
  /** Account id of the payer. */
  readonly source: string;
  /** Part of the rail's suspense account. */
  readonly suspensePart: number;
  /** By which it was accepted. */
  readonly commit: ConfirmedCommit;
}

/** An account at another bank; unavailable: the rail or the bank does not respond. */
export type BeneficiaryResult =
  | { readonly kind: "found"; readonly name: string; readonly currency: string }
  | { readonly kind: "unknown" | "closed" | "unavailable" };

export interface TransferSender {
  /**
   * Resolves once the rail's first response is recorded, or after half a second, or the limit for a caller of 18; the
   * submission continues.
   */
  send(transfer: AcceptedTransfer, options?: { readonly waits?: "briefly" | "likeInterbank" }): Promise<void>;
  /** Waits for the result, up to the limit for a caller (spec D11). */
  sendWithin(transfer: AcceptedTransfer): Promise<TransferResult>;
  /** "unavailable" at once while the rail's circuit is open. */
  inquireBeneficiary(bankCode: string, accountNo: string): Promise<BeneficiaryResult>;
}
