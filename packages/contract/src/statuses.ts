/** Status values that travel (specification, "States and transitions"). */

/** `latestTransactionStatus` and `transactionStatus`: one shared set. */
export const transactionStatuses = {
  "00": { name: "success", description: "Success" },
  "01": { name: "initiated", description: "Initiated" },
  "02": { name: "paying", description: "Paying" },
  "03": { name: "pending", description: "Pending" },
  "04": { name: "refunded", description: "Refunded" },
  "05": { name: "canceled", description: "Canceled" },
  "06": { name: "failed", description: "Failed" },
  "07": { name: "notFound", description: "Not found" },
} as const;

export type TransactionStatusCode = keyof typeof transactionStatuses;

export const transactionStatusCodes = ["00", "01", "02", "03", "04", "05", "06", "07"] as const;

/** `latestCaptureStatus` and `latestVoidStatus`. */
export const attemptStatuses = ["INIT", "SUCCESS", "FAILED"] as const;

/** The same in the set of all others. */
export const statusOfAttempt = {
  INIT: "01",
  SUCCESS: "00",
  FAILED: "06",
} as const satisfies Readonly<Record<(typeof attemptStatuses)[number], TransactionStatusCode>>;

export type AttemptStatusText = (typeof attemptStatuses)[number];
