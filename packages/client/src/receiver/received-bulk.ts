/**
 * The bulk notification (21) as providers send it. The standard's entry has nine fields and names the transfer by
 * `originalPartnerReferenceNo` and `originalReferenceNo`; the specification's has three, `partnerReferenceNo` among them.
 */
import {
  AccountNo,
  BankCode,
  listOf,
  mandatory,
  Money,
  operations,
  optional,
  Reference,
  readRequest,
  type ReadResult,
  type RequestOf,
  ResponseCode,
  ResponseMessage,
  SourceAccountNo,
  text,
} from "@titian/contract";

const receivedEntry = {
  partnerReferenceNo: optional(Reference),
  originalPartnerReferenceNo: optional(Reference),
  originalReferenceNo: optional(Reference),
  responseCode: mandatory(ResponseCode),
  responseMessage: mandatory(ResponseMessage),
  amount: optional(Money),
  beneficiaryAccountNo: optional(AccountNo),
  beneficiaryBankCode: optional(BankCode),
  sourceAccountNo: optional(SourceAccountNo),
  traceNo: optional(text(16)),
};

const row = {
  ...operations.bulkNotification,
  request: {
    ...operations.bulkNotification.request,
    bulkObject: mandatory(listOf(receivedEntry, { min: 1, max: 10_000 })),
  },
};

/** The result of one item. It names its transfer by at least one of the two numbers; a provider may send no other field. */
export interface BulkResult {
  /** Your number of the item: `partnerReferenceNo`, in the standard's entries `originalPartnerReferenceNo`. */
  readonly partnerReferenceNo?: string;
  /** The provider's number of the item. */
  readonly originalReferenceNo?: string;
  /** `200xx00`: settled. `202xx00`: no result yet. Others: the rejection. */
  readonly responseCode: string;
  readonly responseMessage: string;
  readonly amount?: Money;
  readonly beneficiaryAccountNo?: string;
  readonly beneficiaryBankCode?: string;
  readonly sourceAccountNo?: string;
  /** The rail's number. */
  readonly traceNo?: string;
}

/** Argument of the handler of a bulk notification (21). */
export interface ReceivedBulk extends Omit<RequestOf<"bulkNotification">, "bulkObject"> {
  /** In the provider's order. */
  readonly bulkObject: readonly BulkResult[];
}

export function readBulk(json: unknown): ReadResult<ReceivedBulk> {
  const read = readRequest(row, json);
  if (!read.ok) return read;
  const bulkObject: BulkResult[] = [];
  for (const [index, entry] of read.value.bulkObject.entries()) {
    const { partnerReferenceNo, originalPartnerReferenceNo = partnerReferenceNo, ...others } = entry;
    const field = `bulkObject[${index}].originalPartnerReferenceNo`;
    if (partnerReferenceNo !== undefined && originalPartnerReferenceNo !== partnerReferenceNo) {
      return { ok: false, case: "invalidFieldFormat", field, valid: {} };
    }
    if (originalPartnerReferenceNo === undefined && others.originalReferenceNo === undefined) {
      return { ok: false, case: "invalidMandatoryField", field, valid: {} };
    }
    const number = originalPartnerReferenceNo === undefined ? {} : { partnerReferenceNo: originalPartnerReferenceNo };
    bulkObject.push({ ...number, ...others });
  }
  return { ok: true, value: { ...read.value, bulkObject } };
}
