/** The closed union of business "no": a value, never an exception (decision D6). */

/** What a partner's call may be refused for. */
export type CallRefusalKind =
  | "accountNotPermitted"
  | "sameAccount"
  | "unknownBeneficiary"
  | "accountInactive"
  | "accountDormant"
  | "currencyMismatch"
  | "amountTooSmall"
  | "belowMinimum"
  | "overTransactionLimit"
  | "overRailLimit"
  | "tooManyInPeriod"
  | "overDailyLimit"
  | "beneficiaryOverLimit"
  | "insufficientFunds"
  | "bankUnknown"
  | "ownBank"
  | "bankUnreachable"
  | "railClosed"
  | "railDown"
  | "rejectedByRail"
  | "feeTooLarge"
  | "unknownMerchant"
  | "payerMissing"
  | "amountMissing"
  | "validityOutOfRange"
  | "customerTokenMissing"
  | "originalNotFound"
  | "referencesDisagree"
  | "captureNotNamed"
  | "wrongState"
  | "amountDisagrees"
  | "overRemaining"
  | "overRefundable"
  | "tooManyOnHold";

/** What an operator's command may be refused for. */
export type AdminRefusalKind = "unknownAccount" | "accountExists" | "accountInUse" | "accountClosed";

export type RefusalKind = CallRefusalKind | AdminRefusalKind;

export interface Refusal {
  readonly kind: RefusalKind;
  /** Request field the refusal is about, where one can be named; of `railClosed` the time of day it opens at, `06:30`. */
  readonly field?: string | undefined;
}

/** What a command decides: an effect to commit, a refusal to record, or nothing to do. */
export type Decision<Effect> =
  | { readonly kind: "effect"; readonly effect: Effect }
  | { readonly kind: "refusal"; readonly refusal: Refusal }
  | { readonly kind: "nothing" };

export type Refused = Extract<Decision<never>, { readonly kind: "refusal" }>;

export function refuse(kind: RefusalKind, field?: string): Refused {
  return { kind: "refusal", refusal: field === undefined ? { kind } : { kind, field } };
}
