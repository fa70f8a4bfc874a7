/** Stored payloads of requests about holds, for repeats and queries (spec D7, D8). */
import type { Money } from "@titian/contract";
import type { KeptRequest } from "../write.ts";

export interface PaymentPayload {
  readonly request: KeptRequest<"authPayment">;
  /** Held amount. */
  readonly amount: Money;
  /** When the hold ends (epoch ms). */
  readonly expiresAt: number;
  /** Number of the account that pays, and whether it is the merchant's, named or not. */
  readonly payer?: string;
  readonly isDefaultPayer?: boolean;
}

export interface CapturePayload {
  readonly request: KeptRequest<"authCapture">;
  /** Captured amount. */
  readonly amount: Money;
  /** True: that was all there was. */
  readonly isAll: boolean;
  /** Id of the hold, and the numbers of the accounts the money left and reached. */
  readonly hold: string;
  readonly from: string;
  readonly to: string;
}

export interface VoidPayload {
  readonly request: KeptRequest<"authVoid">;
  /** Released amount. */
  readonly amount: Money;
  /** True: that was all there was. */
  readonly isAll: boolean;
  readonly hold: string;
}

export interface RefundPayload {
  readonly request: KeptRequest<"authRefund">;
  /** Refunded amount. */
  readonly amount: Money;
  /** True: that was all there was. */
  readonly isAll: boolean;
  readonly hold: string;
  /** True: the hold had lapsed, and the response names the capture instead of the hold. */
  readonly lapsed: boolean;
  readonly from: string;
  readonly to: string;
}

/** Stored beside the request of a rejected payment. */
export interface RejectedPayment {
  /** Amount that would have been held. */
  readonly amount: Money;
  readonly externalStoreId?: string | undefined;
}

export interface RejectedChange {
  /** Amount that would have been captured, voided or refunded. */
  readonly amount: Money;
  /** Hold of a refund, where the original was found: its id, and beside it whether it had lapsed. */
  readonly hold?: string;
  readonly lapsed?: boolean;
}
