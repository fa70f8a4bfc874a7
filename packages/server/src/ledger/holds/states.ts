/** States of a hold, with the permitted actions and next states (spec D10). */
import { type HoldSums, remaining } from "./hold.ts";

export type HoldAction = "capture" | "void" | "expire" | "refund";

export type HoldState = "open" | "partlyCaptured" | "captured" | "lapsed" | "refunded" | "voided" | "expired";

interface HoldStateRow {
  /** `latestTransactionStatus` of service 64. */
  readonly status: "00" | "01" | "02" | "04" | "05";
  readonly meaning: string;
  /** Possible next states by action. An action that is not listed is rejected. */
  readonly on: { readonly [Event in HoldAction]?: readonly HoldState[] };
}

export const holdStates: Readonly<Record<HoldState, HoldStateRow>> = {
  open: {
    status: "01",
    meaning: "Money is held, nothing captured yet",
    on: { capture: ["partlyCaptured", "captured"], void: ["open", "voided"], expire: ["expired"] },
  },
  partlyCaptured: {
    status: "02",
    meaning: "Something is captured, and something is still held",
    on: {
      capture: ["partlyCaptured", "captured"],
      void: ["partlyCaptured", "captured", "refunded"],
      expire: ["lapsed", "refunded"],
      refund: ["partlyCaptured"],
    },
  },
  captured: {
    status: "00",
    meaning: "Nothing is held any more, and something was captured",
    on: { refund: ["captured", "refunded"] },
  },
  lapsed: {
    status: "00",
    meaning: "It expired with captures made and a remainder left",
    on: { refund: ["lapsed", "refunded"] },
  },
  refunded: { status: "04", meaning: "Nothing is held any more, and all that was captured is refunded", on: {} },
  voided: { status: "05", meaning: "Released before anything was captured", on: {} },
  expired: { status: "05", meaning: "Expired before anything was captured", on: {} },
};

/** The state follows from the sums; it is not stored. */
export function holdState(sums: HoldSums): HoldState {
  const { captured, refunded, expired } = sums;
  if (remaining(sums) > 0n) return captured > 0n ? "partlyCaptured" : "open";
  if (captured === 0n) return expired > 0n ? "expired" : "voided";
  if (refunded === captured) return "refunded";
  return expired > 0n ? "lapsed" : "captured";
}

export function mayHappen(sums: HoldSums, event: HoldAction): boolean {
  return holdStates[holdState(sums)].on[event] !== undefined;
}
