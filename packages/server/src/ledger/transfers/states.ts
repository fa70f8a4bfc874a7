/** States of a transfer over a rail, with their events and next states (spec D11). */

export type TransferEvent = "submit" | "withdraw" | "acknowledge" | "settle" | "reject" | "return";

export type TransferState = "queued" | "submitted" | "pending" | "settled" | "rejected" | "returned";

interface TransferStateRow {
  /** `latestTransactionStatus` of services 36 and 53, `transactionStatus` of 22 and 23. */
  readonly status: "00" | "01" | "02" | "03" | "04" | "06";
  readonly meaning: string;
  /** Next states by event. An event that is not listed changes nothing. */
  readonly on: { readonly [Event in TransferEvent]?: readonly TransferState[] };
}

export const transferStates: Readonly<Record<TransferState, TransferStateRow>> = {
  queued: {
    status: "01",
    meaning: "Money is set aside; the rail, for certain, does not have it yet",
    on: { submit: ["submitted"], acknowledge: ["pending"], settle: ["settled"], reject: ["rejected"] },
  },
  submitted: {
    status: "02",
    meaning: "Handed to the rail, which has not answered yet",
    on: {
      submit: ["submitted"],
      withdraw: ["queued"],
      acknowledge: ["pending"],
      settle: ["settled"],
      reject: ["rejected"],
    },
  },
  pending: {
    status: "03",
    meaning: "The rail has it, and its result or batch is awaited",
    on: { submit: ["pending"], settle: ["settled"], reject: ["rejected"] },
  },
  settled: { status: "00", meaning: "The beneficiary's bank has it", on: { return: ["returned"] } },
  rejected: { status: "06", meaning: "Not carried; amount and fee are back with the payer", on: {} },
  returned: { status: "04", meaning: "Came back after it was settled; the fee stays", on: {} },
};

/** The next state; undefined: the event changes nothing. */
export function afterEvent(state: TransferState, event: TransferEvent): TransferState | undefined {
  return transferStates[state].on[event]?.[0];
}
