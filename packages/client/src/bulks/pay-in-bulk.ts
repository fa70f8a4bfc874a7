/** Pays a list of any length in bulks, from its numbers to the result of each payment. */
import type { Client } from "../client.ts";
import type { Bulk, BulkLimits, BulkOrder } from "./bulk.ts";
import { type BulkStatus, followBulk, type FollowOptions, type PaymentCounts } from "./follow-bulk.ts";
import { getPaymentResults, type PaymentResult, type ResultOptions } from "./payment-results.ts";
import { prepareBulks } from "./prepare-bulks.ts";
import { type AcceptedBulk, sendBulk } from "./send-bulk.ts";
import { together } from "./together.ts";

/** Progress of a list. Counts are those of the last inquiries. */
export interface BulkProgress extends PaymentCounts {
  /** Bulks are sent; their payments are followed; rejected and returned ones are looked up. */
  readonly stage: "sending" | "following" | "lookingUp";
  readonly bulkCount: number;
  readonly acceptedBulks: number;
  /** Payments looked up. */
  readonly inquiries: number;
}

export interface PayInBulkOptions
  extends BulkLimits,
    Pick<FollowOptions, "signal" | "timeoutMs" | "retryForMs" | "onRetry" | "pollMs">,
    Pick<ResultOptions, "concurrency"> {
  /** Default true. False: returns when all bulks are accepted, with every payment open. */
  readonly wait?: boolean | undefined;
  readonly onProgress?: ((progress: BulkProgress) => void) | undefined;
}

export interface BulkReport {
  readonly name: string;
  /** In the order in which they were sent. */
  readonly bulks: readonly (AcceptedBulk & Pick<BulkStatus, "fee">)[];
  /** True: all of them were accepted before, and this call paid nothing. */
  readonly isRepeat: boolean;
  readonly counts: PaymentCounts;
  /** Results of all payments, in the order of the list. */
  readonly results: readonly PaymentResult[];
}

/**
 * Pays a list: splits it into bulks, sends one after the other, waits until every payment has a result, and looks up those
 * that are not settled. Call it again with the same order after a crash, an abort or an error: bulks that were accepted are
 * followed, not paid again.
 *
 * @throws TypeError before anything is sent where the order is invalid; BulkRejectedError at the first bulk that the provider
 * rejects; the client's error where an outcome stayed unknown; an AbortError, or the client's error, after `signal`.
 *
 * @example
 * const { counts, results } = await payInBulk(client, {
 *   name: "PAYROLL-2026-11", sourceAccountNo: "1000000001",
 *   payments: [{ bankCode: "014", beneficiaryAccountNo: "8800000001", beneficiaryAccountName: "Siti Nur Aini",
 *     amount: { value: "4500000.00", currency: "IDR" } }],
 * });
 * if (counts.rejected + counts.returned > 0) console.log(paymentsToRetry(results));
 */
export async function payInBulk(client: Client, order: BulkOrder, options: PayInBulkOptions = {}): Promise<BulkReport> {
  const run = startRun(prepareBulks(order, options), options);
  const { bulks, accepted } = run;
  run.report("sending");
  for (const bulk of bulks) {
    accepted.push(await sendBulk(client, bulk, options));
    run.report("sending");
  }
  const results = options.wait === false ? bulks.flatMap(openResults) : await followAll(client, run, options);
  const isRepeat = accepted.every((bulk) => bulk.isRepeat);
  const paid = accepted.map((bulk, position) => ({ ...bulk, fee: run.statuses[position]?.fee }));
  return { name: order.name, bulks: paid, isRepeat, counts: countStates(results), results };
}

interface Run {
  readonly bulks: readonly Bulk[];
  readonly accepted: AcceptedBulk[];
  /** The last of each bulk. */
  readonly statuses: BulkStatus[];
  inquiries: number;
  report(stage: BulkProgress["stage"]): void;
}

function startRun(bulks: readonly Bulk[], { onProgress }: PayInBulkOptions): Run {
  const run: Run = {
    bulks,
    accepted: [],
    statuses: bulks.map(({ partnerBulkId, payments: { length: open } }) => {
      return { partnerBulkId, isFinal: false, settled: 0, rejected: 0, returned: 0, open };
    }),
    inquiries: 0,
    report(stage) {
      const { accepted, statuses, inquiries } = run;
      onProgress?.({ stage, bulkCount: bulks.length, acceptedBulks: accepted.length, inquiries, ...sum(statuses) });
    },
  };
  return run;
}

/** Waits for the end of all bulks, then looks up what is not settled. */
async function followAll(client: Client, run: Run, options: PayInBulkOptions): Promise<readonly PaymentResult[]> {
  const { bulks, statuses } = run;
  run.report("following");
  const follow = bulks.map((bulk, position) => (signal: AbortSignal) => {
    const onStatus = (status: BulkStatus) => {
      statuses[position] = status;
      run.report("following");
    };
    return followBulk(client, bulk, { ...options, signal, onStatus });
  });
  const ended = await together(options.signal, follow);
  const results: PaymentResult[] = [];
  for (const [position, bulk] of bulks.entries()) {
    const onInquiry = () => {
      run.inquiries += 1;
      run.report("lookingUp");
    };
    const status = ended[position];
    if (status) results.push(...(await getPaymentResults(client, bulk, status, { ...options, onInquiry })));
  }
  return results;
}

function openResults({ payments, start }: Bulk): readonly PaymentResult[] {
  return payments.map((payment, position) => ({ index: start + position, payment, state: "open" }));
}

function countStates(results: readonly PaymentResult[]): PaymentCounts {
  const counts = { settled: 0, rejected: 0, returned: 0, open: 0 };
  for (const { state } of results) counts[state] += 1;
  return counts;
}

function sum(statuses: readonly PaymentCounts[]): PaymentCounts {
  const total = (state: keyof PaymentCounts) => statuses.reduce((before, counts) => before + counts[state], 0);
  return { settled: total("settled"), rejected: total("rejected"), returned: total("returned"), open: total("open") };
}
