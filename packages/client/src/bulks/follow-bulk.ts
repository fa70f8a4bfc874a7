/** The status of a bulk (36), and waiting for its end. */
import { setTimeout as pause } from "node:timers/promises";
import { operations } from "@titian/contract";
import type { Client } from "../client.ts";
import { retryCall, type RetryOptions } from "./retry-call.ts";

/** Payments by their state; together they are all. */
export interface PaymentCounts {
  readonly settled: number;
  /** Not made; the money is back on the account. */
  readonly rejected: number;
  /** Made and sent back by the beneficiary's bank, be it days later; the amount is back on the account. */
  readonly returned: number;
  /** Without a result. */
  readonly open: number;
}

export interface BulkStatus extends PaymentCounts {
  readonly partnerBulkId: string;
  /** True: every payment has a result. */
  readonly isFinal: boolean;
  /** Fees of all payments but the rejected ones, as a decimal text; absent where the provider does not tell. */
  readonly fee?: string | undefined;
}

export interface FollowOptions extends RetryOptions {
  /** The longest pause between two inquiries, in milliseconds. Default: 5,000. */
  readonly pollMs?: number | undefined;
  /** Called after each inquiry. */
  readonly onStatus?: ((status: BulkStatus) => void) | undefined;
}

type SentBulk = { readonly partnerBulkId: string; readonly payments: readonly unknown[] };

const firstPauseMs = 250;
const { code: serviceCode } = operations.interbankBulkTransfer;
const defaultPollMs = 5_000;

/** The status of a bulk that was accepted. */
export async function getBulkStatus(client: Client, bulk: SentBulk, options: RetryOptions = {}): Promise<BulkStatus> {
  const { partnerBulkId, payments } = bulk;
  const { signal, timeoutMs } = options;
  const inquiry = { serviceCode, originalPartnerReferenceNo: partnerBulkId };
  const response = await retryCall(() => client.statusInquiryBank(inquiry, { signal, timeoutMs }), options);
  const { fee, openCount, rejectedCount, returnedCount } = response.additionalInfo ?? {};
  const isFinal = !["01", "02", "03"].includes(response.latestTransactionStatus);
  const known = { partnerBulkId, isFinal, fee };
  const open = readCount(openCount);
  // A provider without counts: all are open, even at the end, until each is asked for.
  if (open === undefined) return { ...known, settled: 0, rejected: 0, returned: 0, open: payments.length };
  const [rejected = 0, returned = 0] = [readCount(rejectedCount), readCount(returnedCount)];
  return { ...known, settled: payments.length - rejected - returned - open, rejected, returned, open };
}

/** Asks for the status, with growing pauses while nothing changes, until every payment has a result. */
export async function followBulk(client: Client, bulk: SentBulk, options: FollowOptions = {}): Promise<BulkStatus> {
  const { signal, onStatus, pollMs = defaultPollMs } = options;
  let pauseMs = firstPauseMs;
  let open: number | undefined;
  for (;;) {
    const status = await getBulkStatus(client, bulk, options);
    onStatus?.(status);
    if (status.isFinal) return status;
    pauseMs = status.open === open ? Math.min(pauseMs * 2, pollMs) : Math.min(firstPauseMs, pollMs);
    open = status.open;
    await pause(pauseMs, undefined, signal && { signal });
  }
}

function readCount(value: string | undefined): number | undefined {
  return value !== undefined && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}
