/** A status that the provider tells of a write, by what the write's row says of it. */
import type { OperationRow, TransactionStatusCode } from "@titian/contract";
import type { Reason, ResponseValues, SeenAccepted } from "./seen.ts";

export function seeStatus(
  { about: { doneAt = [], failedAt = [] } }: OperationRow,
  status: TransactionStatusCode,
  response: ResponseValues,
  reason: Reason,
): SeenAccepted {
  if (doneAt.includes(status)) return { seen: "done", status, response };
  return failedAt.includes(status) ? { seen: "failed", status, ...reason } : { seen: "accepted", status, response };
}
