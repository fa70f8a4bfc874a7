/** Rejection cases that several operations share (spec D6). */
import type { CaseName } from "../response-cases.ts";

/** Cases of the paying account, and of a service that is closed. */
export const payingCases = [
  "transactionNotPermitted",
  "inactiveAccount",
  "dormantAccount",
  "exceedsTransactionAmountLimit",
  "invalidAmount",
  "activityCountLimitExceeded",
  "accountLimitExceeded",
  "insufficientFunds",
  "featureNotAllowedAtThisTime",
] as const satisfies readonly CaseName[];

/** Cases of a transfer that names a beneficiary account. */
export const transferCases = ["invalidAccount", ...payingCases] as const satisfies readonly CaseName[];

/** Cases of a capture, void or refund of an existing hold. */
export const holdCases = [
  "transactionNotFound",
  "invalidTransactionStatus",
  "exceedsTransactionAmountLimit",
  "invalidAmount",
  "activityCountLimitExceeded",
  "customerTokenNotFound",
] as const satisfies readonly CaseName[];
