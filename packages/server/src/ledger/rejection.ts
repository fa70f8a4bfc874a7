/** Business rejections: a closed union of values, never exceptions (spec D6). */

/** Rejections of a partner's call. */
export type CallRejectionKind =
  | "accountNotPermitted"
  | "sameAccount"
  | "unknownPayer"
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
  | "railClosedByOperator"
  | "serviceClosed"
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
  | "refundWindowClosed"
  | "tooManyOnHold"
  | "tooManyOpenRequests"
  | "tooManyOpenRequestsOfPayer";

/** Rejections of an operator's command. */
export type AdminRejectionKind =
  | "unknownAccount"
  | "accountExists"
  | "accountInUse"
  | "accountClosed"
  /** Its cell is another one by now. */
  | "accountMoved"
  | "referenceUsed";

/** Rejections of a mirrored entry; nobody called for it. */
export type MirrorRejectionKind =
  /** The mirror lacks entries before it: they come first. */
  | "mirrorGap"
  /** The mirror, or its name, is not what the entry follows. */
  | "mirrorDiffers";

export type RejectionKind = CallRejectionKind | AdminRejectionKind | MirrorRejectionKind;

export interface Rejection {
  readonly kind: RejectionKind;
  /** Request field the rejection is about, where one can be named; of `railClosed` the time of day it opens at, `06:30`. */
  readonly field?: string | undefined;
}

/** The decision of a command: an effect to commit, a rejection to record, or nothing to do. */
export type Decision<Effect> =
  | { readonly kind: "effect"; readonly effect: Effect }
  | { readonly kind: "rejection"; readonly rejection: Rejection }
  | { readonly kind: "nothing" };

export type Rejected = Extract<Decision<never>, { readonly kind: "rejection" }>;

export function reject(kind: RejectionKind, field?: string): Rejected {
  return { kind: "rejection", rejection: field === undefined ? { kind } : { kind, field } };
}
