/** Result of administration: done, or a rejection with a sentence for the operator. */
import type { ClosedAct } from "../jobs/open-act.ts";
import type { AdminRejectionKind, RejectionKind } from "../ledger/rejection.ts";

/**
 * Rejections that concern reference data; those of accounts are the ledger's.
 * @template Own kinds that only one command knows.
 */
export type AdminRejection<Own extends string = never> = {
  readonly kind:
    | AdminRejectionKind
    | "tooLarge"
    | "overAvailable"
    | "accountInactive"
    | "accountDormant"
    | "accountNotPermitted"
    | ClosedAct["kind"]
    | "invalidField"
    | "unknownPartner"
    | "unknownOperator"
    | "unknownMerchant"
    | "partnerExists"
    | "merchantExists"
    | Own;
  /** Input field the rejection is about. */
  readonly field?: string;
  /** Sentence that says what is wrong and what to do. */
  readonly message: string;
  /** The act that it is about: one that waits, stands in the way, or has ended. */
  readonly actId?: string;
};

export type AdminResult<Value, Own extends string = never> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly rejection: AdminRejection<Own> };

/** The command could not be carried out: a bug or an outage, never a rejection. Repeating it is safe. */
export class AdminError extends Error {
  override readonly name = "AdminError";
}

export function done<Value>(value: Value): { readonly ok: true; readonly value: Value } {
  return { ok: true, value };
}

export function rejected(
  kind: AdminRejection["kind"],
  message: string,
  field?: string,
): { readonly ok: false; readonly rejection: AdminRejection } {
  return { ok: false, rejection: field === undefined ? { kind, message } : { kind, message, field } };
}

/** Rejection of what an act would have done, or does later. */
export function rejectedAct({ kind, message, actId }: ClosedAct): {
  readonly ok: false;
  readonly rejection: AdminRejection;
} {
  const about = kind === "reasonMissing" ? { field: "reason" } : {};
  return { ok: false, rejection: { kind, message, ...about, ...(actId !== undefined && { actId }) } };
}

export function rejectUnknownPartner() {
  return rejected("unknownPartner", "There is no such partner.", "partnerId");
}

export function rejectRetired() {
  return rejected("invalidField", "The partner is retired for good: its terms, keys and status stay.", "partnerId");
}

const ledgerMessages = {
  unknownAccount: { kind: "unknownAccount", message: "There is no such account of a holder." },
  accountExists: {
    kind: "accountExists",
    message: "Another account has this number: choose another, or leave it out.",
  },
  accountInUse: {
    kind: "accountInUse",
    message:
      "It cannot be closed while something is held on it or a transfer from it is under way; nor, outside the sandbox, with money on it.",
  },
  accountClosed: { kind: "accountClosed", message: "The account is closed; a closed account never changes." },
  accountMoved: {
    kind: "accountMoved",
    message: "The account has moved to another cell, or is moving: it is changed there, once it has arrived.",
  },
  referenceUsed: {
    kind: "referenceUsed",
    message: "This reference has moved another amount, or on another account: a new act has a new reference.",
  },
  insufficientFunds: { kind: "overAvailable", message: "The account has less available than this." },
  accountInactive: { kind: "accountInactive", message: "No money is paid out of this account." },
  accountDormant: { kind: "accountDormant", message: "No money is paid out of this account." },
  accountNotPermitted: {
    kind: "accountNotPermitted",
    message: "What is on it is of open transfers: titian transfer resolve.",
  },
  currencyMismatch: { kind: "invalidField", message: "The account is in another currency." },
  overTransactionLimit: { kind: "tooLarge", message: "The amount is more than the ledger can hold in this currency." },
} as const satisfies Partial<Record<RejectionKind, { kind: AdminRejection["kind"]; message: string }>>;

/** A rejection of a ledger command, for the operator. */
export function rejectedByLedger(kind: RejectionKind, field: string | undefined): AdminResult<never> {
  if (!(kind in ledgerMessages)) throw new AdminError(`unexpected rejection of an administrative command: ${kind}`);
  const known = ledgerMessages[kind as keyof typeof ledgerMessages];
  return rejected(known.kind, known.message, field);
}
