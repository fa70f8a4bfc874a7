/** Stored facts, as this release and those before it wrote them. */
import type { RequestOf } from "@titian/contract";

/** What is kept of a transfer: its request, with the amount as answers give it; free-form parts are kept beside it. */
export interface TransferFacts {
  readonly request: Omit<RequestOf<"intrabankTransfer">, "additionalInfo"> & {
    /** Of one that leaves the bank. */
    readonly beneficiaryBankCode?: string;
  };
}

/** The facts of a row that only this service writes; their layout is the row's. */
export function parseFacts<Facts>(text: string): Facts {
  const facts: unknown = JSON.parse(text);
  return facts as Facts;
}
