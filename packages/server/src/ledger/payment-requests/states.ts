/** States of a payment request, with their events and next states (spec D12). */

export type PaymentRequestEvent = "approve" | "decline" | "expire";

/** `expired` is stored nowhere: it follows from the time. */
export type PaymentRequestState = "waiting" | "approved" | "declined" | "expired";

interface PaymentRequestStateRow {
  /** `latestTransactionStatus` of services 36 and 53; of an approved one over a rail, that of its transfer. */
  readonly status: "00" | "01" | "05";
  readonly meaning: string;
  /** Next states by event. An event that is not listed is rejected. */
  readonly on: { readonly [Event in PaymentRequestEvent]?: readonly PaymentRequestState[] };
}

export const paymentRequestStates: Readonly<Record<PaymentRequestState, PaymentRequestStateRow>> = {
  waiting: {
    status: "01",
    meaning: "Waiting for the payer's answer",
    on: { approve: ["approved"], decline: ["declined"], expire: ["expired"] },
  },
  approved: { status: "00", meaning: "Approved by the payer; over a rail, the status is that of its transfer", on: {} },
  declined: { status: "05", meaning: "Declined by the payer", on: {} },
  expired: { status: "05", meaning: "Expired without an answer", on: {} },
};

interface StoredState {
  readonly state: Exclude<PaymentRequestState, "expired">;
  /** Business time (epoch ms). */
  readonly expiresAt: number;
}

export function paymentRequestState({ state, expiresAt }: StoredState, now: number): PaymentRequestState {
  return state === "waiting" && expiresAt <= now ? "expired" : state;
}

export function mayAnswer(request: StoredState, event: PaymentRequestEvent, now: number): boolean {
  return paymentRequestStates[paymentRequestState(request, now)].on[event] !== undefined;
}
