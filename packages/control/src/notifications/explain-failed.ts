/** Explanation of an attempt that failed, as far as what the receiver answered shows it. */
import { explainAttempt, type FailedAttempt } from "@titian/explain";

interface Attempt extends FailedAttempt {
  /** Absent: it was accepted, and there is nothing to explain. */
  readonly failure?: string | undefined;
}

export function explainFailed({ failure, ...attempt }: Attempt) {
  return failure === undefined ? undefined : explainAttempt(attempt);
}
