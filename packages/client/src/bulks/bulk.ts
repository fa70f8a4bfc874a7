/** Payments to other banks in bulks (20): what the caller gives, and the bulks that are made of it. Plain data. */
import type { RequestOf } from "@titian/contract";
import type { Attempt } from "../attempt.ts";

type BulkRequest = RequestOf<"interbankBulkTransfer">;
type BulkItem = BulkRequest["bulkObject"][number];

/** A payment with its number: an item of a bulk. Amounts are decimal texts: `{ value: "4500000.00", currency: "IDR" }`. */
export type NumberedPayment = BulkItem;

/** A payment of the list. Without a `partnerReferenceNo` it gets one of the list's name and its position. */
export type BulkPayment = Omit<BulkItem, "partnerReferenceNo"> & {
  /** Up to 64 characters, unique for ever. A payment is made at most once under it. */
  readonly partnerReferenceNo?: string | undefined;
};

type CommonFields = Pick<BulkRequest, "sourceAccountNo" | "feeType" | "remark" | "additionalInfo">;

/** A list of payments of any length from one account. */
export interface BulkOrder extends CommonFields {
  /**
   * Names the list: 1 to 40 letters, digits, `-`, `_`, `.`. Numbers and external ids are made of it, so the same list under
   * the same name is paid once, however often it is sent. Another list needs another name.
   */
  readonly name: string;
  readonly payments: readonly BulkPayment[];
  /** Default: the name, cut to 30 characters. */
  readonly customerReference?: string | undefined;
  /** ISO 8601 with offset. Default: now. */
  readonly transactionDate?: string | undefined;
}

/** Limits by which a list is split. Changing either between two sends of one list makes other bulks: they are rejected. */
export interface BulkLimits {
  /** Payments of a bulk: 1 to 10,000 (default). */
  readonly maxItems?: number | undefined;
  /** Bytes of a bulk's body: up to 8 MiB (default). */
  readonly maxBytes?: number | undefined;
}

/** One call of service 20. Made by `prepareBulks` from the same order, it is the same again but for its date. */
export interface Bulk {
  /** Number of the bulk: `<name>-B1`, `<name>-B2` … */
  readonly partnerBulkId: string;
  /** Position in the order's payments of the bulk's first payment, from 0. */
  readonly start: number;
  readonly payments: readonly NumberedPayment[];
  /** External id and body. */
  readonly attempt: Attempt<"interbankBulkTransfer">;
}
