/** Stored payloads, as this release and those before it wrote them. */
import type { RequestOf } from "@titian/contract";

/**
 * Stored payload of a transfer: its request, with the amount as responses give it; free-form parts are kept beside it.
 */
export interface TransferPayload {
  /** Cell of the payee, of an intrabank transfer to another one. */
  readonly cell?: number;
  readonly request: Omit<RequestOf<"intrabankTransfer">, "additionalInfo"> & {
    /** Bank of a beneficiary at another bank. */
    readonly beneficiaryBankCode?: string;
  };
}

/** Stored payload of a payment request (19). */
export interface PaymentRequestPayload {
  /** Cell of the beneficiary, of an account in another one. */
  readonly cell?: number;
  readonly request: Omit<RequestOf<"requestForPayment">, "additionalInfo">;
  /** Also of an open amount. */
  readonly currency: string;
}

/** The beneficiary's bank, which 19 calls by another name than the transfers. */
export function bankCodeOf(request: { readonly beneficiaryBankCode?: string; readonly bankCode?: string }) {
  return request.beneficiaryBankCode ?? request.bankCode;
}

/** Payload of a row that only this service writes; its version is the row's. */
export function parsePayload<Payload>(text: string): Payload {
  const payload: unknown = JSON.parse(text);
  return payload as Payload;
}
