/** The one table from a business refusal to its response case (decision D6). */
import { type CaseName, responseCases } from "@titian/contract";
import type { Reply } from "../call.ts";
import type { CallRefusalKind, Refusal, RefusalKind } from "../ledger/refusal.ts";

interface RefusalCase {
  readonly case: CaseName;
  /** Text in brackets behind the message. */
  readonly reason?: string;
}

const refusalCases = {
  accountNotPermitted: { case: "transactionNotPermitted", reason: "Source account not available" },
  sameAccount: { case: "transactionNotPermitted", reason: "Source and beneficiary are the same account" },
  unknownBeneficiary: { case: "invalidAccount", reason: "Unknown beneficiary account" },
  accountInactive: { case: "inactiveAccount" },
  accountDormant: { case: "dormantAccount" },
  currencyMismatch: { case: "invalidFieldFormat" },
  amountTooSmall: { case: "invalidAmount" },
  overTransactionLimit: { case: "exceedsTransactionAmountLimit" },
  tooManyInPeriod: { case: "activityCountLimitExceeded" },
  overDailyLimit: { case: "accountLimitExceeded" },
  insufficientFunds: { case: "insufficientFunds" },
  bankUnknown: { case: "bankNotSupported" },
  rejectedByRail: { case: "doNotHonor" },
  railClosed: { case: "featureNotAllowedAtThisTime", reason: "Rail closed" },
  feeTooLarge: { case: "invalidAmount" },
  unknownMerchant: { case: "invalidMerchant" },
  payerMissing: { case: "invalidMandatoryField" },
  amountMissing: { case: "invalidMandatoryField" },
  validityOutOfRange: { case: "invalidFieldFormat" },
  customerTokenMissing: { case: "customerTokenNotFound" },
  originalNotFound: { case: "transactionNotFound" },
  referencesDisagree: { case: "transactionNotFound" },
  captureNotNamed: { case: "invalidMandatoryField" },
  wrongState: { case: "invalidTransactionStatus" },
  amountDisagrees: { case: "invalidAmount" },
  overRemaining: { case: "exceedsTransactionAmountLimit" },
  overRefundable: { case: "exceedsTransactionAmountLimit" },
  tooManyOnHold: { case: "activityCountLimitExceeded" },
} as const satisfies Record<CallRefusalKind, RefusalCase>;

/** The case a recorded refusal was answered with. */
export function caseOfRefusal(kind: RefusalKind): CaseName {
  return findCase(kind).case;
}

export function refusalReply(refusal: Refusal): Reply {
  const { case: caseName, reason } = findCase(refusal.kind);
  return {
    case: caseName,
    ...(reason === undefined ? {} : { reason }),
    // Only the 400-class names a field (decision D2, steps 11 and 12).
    ...(responseCases[caseName].status === 400 ? { field: refusal.field } : {}),
  };
}

function findCase(kind: RefusalKind): RefusalCase {
  if (kind in refusalCases) return refusalCases[kind as CallRefusalKind];
  throw new Error(`refusal ${kind} belongs to administration and has no response case`);
}
