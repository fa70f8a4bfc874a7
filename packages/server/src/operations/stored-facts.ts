/** Stored facts, as this release and those before it wrote them. */
import type { RequestOf } from "@titian/contract";

/**
 * Stored payload of a transfer: its request, with the amount as responses give it; free-form parts are kept beside it.
 */
export interface TransferFacts {
  readonly request: Omit<RequestOf<"intrabankTransfer">, "additionalInfo"> & {
    /** Bank of a beneficiary at another bank. */
    readonly beneficiaryBankCode?: string;
  };
}

/** Stored payload of a payment request (19). */
export interface PaymentRequestFacts {
  readonly request: Omit<RequestOf<"requestForPayment">, "additionalInfo">;
  /** Also of an open amount. */
  readonly currency: string;
}

/** The beneficiary's bank, which 19 calls by another name than the transfers. */
export function bankCodeOf(request: { readonly beneficiaryBankCode?: string; readonly bankCode?: string }) {
  return request.beneficiaryBankCode ?? request.bankCode;
}

/** The facts of a row that only this service writes; their layout is the row's. */
export function parseFacts<Facts>(text: string): Facts {
  const facts: unknown = JSON.parse(text);
  return facts as Facts;
}
