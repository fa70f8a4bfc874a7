/** Sends a bulk until it is known whether the provider accepted it. */
import type { Client } from "../client.ts";
import { isSnapError } from "../errors/error-guards.ts";
import type { Bulk } from "./bulk.ts";
import { BulkRejectedError } from "./bulk-rejected-error.ts";
import { retryCall, type RetryOptions } from "./retry-call.ts";

/** A bulk that the provider makes: amounts and fees are debited. */
export interface AcceptedBulk {
  readonly partnerBulkId: string;
  /** The provider's number, where it gave one. */
  readonly bulkId: string | undefined;
  /** It was accepted before this call, which paid nothing. */
  readonly isRepeat: boolean;
}

/**
 * Sends a bulk, and again with the same external id while the outcome is unknown or the provider is busy. A bulk that was
 * accepted before counts as accepted. Rejects with a `BulkRejectedError`, or, where the outcome stayed unknown, with the
 * error of the last call: send the same bulk again later.
 */
export async function sendBulk(client: Client, bulk: Bulk, options: RetryOptions = {}): Promise<AcceptedBulk> {
  const { partnerBulkId } = bulk;
  const { signal, timeoutMs, onRetry } = options;
  let mayBeAccepted = false;
  const sends: RetryOptions = {
    ...options,
    onRetry(error, pauseMs) {
      mayBeAccepted ||= error.code !== "ERR_NOT_SENT";
      onRetry?.(error, pauseMs);
    },
  };
  try {
    // As a repeat: a former run may have sent it.
    const { bulkId } = await retryCall(() => client.repeat(bulk.attempt, { signal, timeoutMs }), sends);
    return { partnerBulkId, bulkId, isRepeat: false };
  } catch (error) {
    if (!isSnapError(error, "interbankBulkTransfer") || error.httpStatus >= 500 || error.httpStatus === 429)
      throw error;
    // Rejected before processing: it says nothing of an earlier send without a response.
    if (mayBeAccepted && !error.isFinal) throw error;
    const { originalResponse } = error;
    const isRepeat = error.caseName === "conflict" || error.caseName === "duplicatePartnerReferenceNo";
    // A number of an item may have been used too, by another bulk.
    if (!isRepeat || originalResponse?.partnerBulkId !== partnerBulkId) throw new BulkRejectedError(bulk, error);
    return { partnerBulkId, bulkId: originalResponse.bulkId, isRepeat: !mayBeAccepted };
  }
}
