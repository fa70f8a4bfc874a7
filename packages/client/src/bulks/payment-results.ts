/** The result of each payment of a bulk (36), and what to send again. */
import { operations } from "@titian/contract";
import type { Client } from "../client.ts";
import type { Bulk, BulkPayment, NumberedPayment } from "./bulk.ts";
import { type BulkStatus, getBulkStatus, type PaymentCounts } from "./follow-bulk.ts";
import { nextNumber } from "./numbers.ts";
import { retryCall, type RetryOptions } from "./retry-call.ts";
import { together } from "./together.ts";

export interface PaymentResult {
  /** Position in the order's payments, from 0. */
  readonly index: number;
  readonly payment: NumberedPayment;
  /** `open`: without a result, or not known. */
  readonly state: keyof PaymentCounts;
  /** Provider's code of a rejected or returned payment, with its message, where the provider tells them. */
  readonly responseCode?: string | undefined;
  readonly reason?: string | undefined;
  /** The provider's number, where the payment was asked for. */
  readonly referenceNo?: string | undefined;
}

export interface ResultOptions extends RetryOptions {
  /** Inquiries at a time. Default: 8. */
  readonly concurrency?: number | undefined;
  /** Called after each inquiry. */
  readonly onInquiry?: (() => void) | undefined;
}

const defaultConcurrency = 8;

/**
 * The results of a bulk's payments, in order. Payments are asked for one by one, and only until the rejected and returned
 * ones that the counts of `status` tell of are found: of a bulk that settled as a whole none is.
 */
export async function getPaymentResults(
  client: Client,
  bulk: Bulk,
  status: BulkStatus,
  options: ResultOptions = {},
): Promise<readonly PaymentResult[]> {
  const results = bulk.payments.map(
    (payment, position): PaymentResult => ({ index: bulk.start + position, payment, state: "settled" }),
  );
  const found = { settled: 0, rejected: 0, returned: 0, open: 0 };
  const isComplete = ({ rejected, returned, open }: PaymentCounts) =>
    open === 0 && found.rejected >= rejected && found.returned >= returned;
  let asked = 0;
  let counts = status;
  const work = async (signal: AbortSignal) => {
    while (!isComplete(counts)) {
      const before = results[asked];
      if (!before) return;
      asked += 1;
      const result = await inquire(client, before, { ...options, signal });
      results[before.index - bulk.start] = result;
      found[result.state] += 1;
      options.onInquiry?.();
    }
  };
  const works = Array<typeof work>(Math.max(1, options.concurrency ?? defaultConcurrency)).fill(work);
  while (!isComplete(counts) && asked < results.length) {
    await together(options.signal, works);
    // One that was returned meanwhile may have been found in place of one that was counted.
    counts = await getBulkStatus(client, bulk, options);
  }
  return results;
}

const { code: serviceCode } = operations.interbankBulkTransfer;

async function inquire(client: Client, before: PaymentResult, options: RetryOptions): Promise<PaymentResult> {
  const { signal, timeoutMs } = options;
  const inquiry = { serviceCode, originalPartnerReferenceNo: before.payment.partnerReferenceNo };
  const response = await retryCall(() => client.statusInquiryBank(inquiry, { signal, timeoutMs }), options);
  const { latestTransactionStatus, referenceNumber, transactionStatusDesc, additionalInfo } = response;
  const state = stateOf(latestTransactionStatus);
  const referenceNo = referenceNumber === "" ? undefined : referenceNumber;
  if (state === "settled" || state === "open") return { ...before, state, referenceNo };
  const rejection = additionalInfo?.rejection;
  return {
    ...before,
    state,
    referenceNo,
    responseCode: rejection?.responseCode,
    reason: rejection?.responseMessage ?? transactionStatusDesc,
  };
}

/** Only what certainly was not paid, or came back, may be paid again. */
function stateOf(latestTransactionStatus: string): PaymentResult["state"] {
  if (latestTransactionStatus === "00") return "settled";
  if (latestTransactionStatus === "06") return "rejected";
  return latestTransactionStatus === "04" ? "returned" : "open";
}

/**
 * The rejected and the returned payments, each with the number of its next try: `…-R2`, then `…-R3`. A list of them needs a
 * name of its own. Settled and open payments are never among them; one that was tried again already is rejected for its
 * number.
 */
export function paymentsToRetry(results: readonly PaymentResult[]): readonly BulkPayment[] {
  return results
    .filter(({ state }) => state === "rejected" || state === "returned")
    .map(({ payment }) => ({ ...payment, partnerReferenceNo: nextNumber(payment.partnerReferenceNo) }));
}
