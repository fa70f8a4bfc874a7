/** Status of a bulk as a whole (spec D13, D15): it has no one beneficiary, and its items are counted. */
import { type Money, operations, responseCode, type TransactionStatusCode } from "@titian/contract";
import { type Bulk, openCount } from "../../ledger/bulks/bulk.ts";
import { bulkStatus, settledNow } from "../../ledger/bulks/status.ts";
import { type Minor, minor } from "../../ledger/money.ts";
import { writeMoney } from "../money.ts";
import type { BulkPayload, RejectedBulkPayload } from "./bulk-payload.ts";

/** Fields of a transfer's request, as far as a bulk has them. */
type TransferFields = Omit<BulkPayload["request"], "partnerBulkId"> & {
  readonly partnerReferenceNo?: string;
  readonly amount?: Money;
  readonly beneficiaryAccountNo: "";
};

export interface BulkInquiry {
  readonly request: TransferFields;
  readonly status: TransactionStatusCode;
  readonly description: string;
  readonly previous: string;
  readonly fee: Minor;
  readonly counts: Readonly<Record<string, string>>;
  /** True: every item has its result. */
  readonly isFinal: boolean;
}

/** The result of a status inquiry, but for its references. */
export function inquireBulk(
  bulk: Bulk,
  { request, itemCount, requestedItemCount = itemCount }: BulkPayload,
): BulkInquiry {
  const { currency, amount, fee, rejectedFee } = bulk;
  const notCarried = requestedItemCount - itemCount;
  const { status, description } = bulkStatus(bulk);
  return {
    request: asTransfer(request, writeMoney({ amount, currency })),
    status,
    description: notCarried === 0 ? description : `${description}; ${notCarried} not carried`,
    previous: responseCode("success", operations.interbankBulkTransfer.code),
    fee: minor(fee - rejectedFee),
    counts: { ...countsOf(bulk), ...(notCarried > 0 && { notCarriedCount: String(notCarried) }) },
    isFinal: openCount(bulk) === 0,
  };
}

/** The fields of a transfer's request that a bulk has. */
export function asTransfer(request: BulkPayload["request"], amount: RejectedBulkPayload["total"]): TransferFields {
  const { partnerBulkId, ...shared } = request;
  return {
    ...shared,
    ...(amount && { amount }),
    ...(partnerBulkId !== undefined && { partnerReferenceNo: partnerBulkId }),
    beneficiaryAccountNo: "",
  };
}

/** All add up to `itemCount`. */
function countsOf(bulk: Bulk): Readonly<Record<string, string>> {
  return {
    itemCount: String(bulk.itemCount),
    settledCount: String(settledNow(bulk)),
    rejectedCount: String(bulk.rejectedCount),
    returnedCount: String(bulk.returnedCount),
    openCount: String(openCount(bulk)),
  };
}
