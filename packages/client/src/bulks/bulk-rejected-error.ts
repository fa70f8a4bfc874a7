/** A bulk that the provider rejected. */
import type { SnapError } from "../errors/errors.ts";
import type { Bulk, NumberedPayment } from "./bulk.ts";

/**
 * The provider rejected a bulk: none of its payments is made by this call. Those of the bulks before it are, those of later
 * ones were not sent. Correct the list and send it under the same name: bulks that were accepted are not paid again.
 */
export class BulkRejectedError extends Error {
  override readonly name = "BulkRejectedError";
  readonly code = "ERR_BULK_REJECTED";
  readonly partnerBulkId: string;
  /** Position in the order's payments of the one that the provider names, from 0. */
  readonly index: number | undefined;
  /** That payment. */
  readonly payment: NumberedPayment | undefined;
  /** The provider's response: `cause.caseName`, `cause.responseCode`. */
  declare readonly cause: SnapError;

  constructor({ partnerBulkId, payments, start }: Bulk, cause: SnapError) {
    const [, position] = /\bbulkObject\[(\d{1,5})\]/.exec(cause.responseMessage) ?? [];
    const payment = position === undefined ? undefined : payments[Number(position)];
    const index = payment === undefined ? undefined : start + Number(position);
    const item = payment === undefined ? "" : `, payments[${index}] ${payment.partnerReferenceNo}`;
    super(`bulk ${partnerBulkId}${item}: ${cause.responseMessage} (${cause.responseCode})`, { cause });
    this.partnerBulkId = partnerBulkId;
    this.index = index;
    this.payment = payment;
  }
}
