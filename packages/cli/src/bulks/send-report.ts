/** The outcome of a list, as text and as JSON. */
import type { BulkReport, PaymentCounts, PaymentResult } from "@titian/client";
import { formatJson, note, print } from "../output.ts";
import { groupDigits } from "../tables/group-digits.ts";
import { amountColumn, formatTable } from "../tables/table.ts";
import type { PaymentList } from "./payment-list.ts";
import { formatTotal } from "./totals.ts";

interface Shown {
  readonly list: PaymentList;
  readonly seconds: number;
  readonly flags: { readonly results?: string; readonly retry?: string };
}

const states = ["settled", "rejected", "returned", "open"] as const satisfies readonly (keyof PaymentCounts)[];
const shownResults = 20;

export function showReport(report: BulkReport, { list, seconds, flags }: Shown): void {
  const { counts, results } = report;
  const rows = states.map((state) => ({ state, payments: counts[state], amount: totalOf(results, state) }));
  print(`${report.name}: ${results.length} payments, ${bulkIds(report)}\n`);
  print(formatTable({ state: "state", payments: "payments", amount: amountColumn("amount") }, rows));
  const fees = feesOf(report);
  if (fees !== undefined) print(`\nfees ${groupDigits(fees)}`);
  if (!report.isRepeat) print(`\n${seconds.toFixed(1)} s${rateOf(report, seconds)}`);
  else {
    note(
      "\nThis list was accepted before under this name: nothing new was paid. To pay it again, give another --name.",
    );
  }
  showFailed(results, list);
  const { results: written, retry } = flags;
  if (written !== undefined) note(`\nResults of every line: ${written}`);
  if (counts.rejected + counts.returned === 0) return;
  note(
    retry === undefined
      ? "\n--retry <file> writes those to be paid again, under new numbers."
      : `\nTo be corrected and sent: ${retry}`,
  );
}

/** Results of payments that are not settled only: the file of `--results` has all. */
export function toJson(report: BulkReport, seconds: number): string {
  const { name, isRepeat, bulks, counts } = report;
  const amounts = Object.fromEntries(states.map((state) => [state, totalOf(report.results, state)]));
  const unsettled = report.results.filter(({ state }) => state !== "settled");
  return formatJson({ name, isRepeat, bulks, counts, amounts, fees: feesOf(report), seconds, unsettled });
}

function totalOf(results: readonly PaymentResult[], wanted: keyof PaymentCounts): string {
  return formatTotal(results.filter(({ state }) => state === wanted).map(({ payment }) => payment));
}

/** Rate of those that have results. */
function rateOf({ counts, results }: BulkReport, seconds: number): string {
  const done = results.length - counts.open;
  return done === 0 || seconds < 0.1 ? "" : `, ${Math.round(done / seconds)} payments a second`;
}

/** Undefined: the provider does not tell them. */
function feesOf({ bulks, results }: BulkReport): string | undefined {
  const currency = results[0]?.payment.amount.currency ?? "";
  const fees = bulks.flatMap(({ fee: value }) => (value === undefined ? [] : [{ amount: { value, currency } }]));
  return fees.length === bulks.length ? formatTotal(fees) : undefined;
}

function bulkIds({ bulks }: BulkReport): string {
  return bulks
    .map(({ partnerBulkId, bulkId }) => (bulkId === undefined ? partnerBulkId : `${partnerBulkId} ${bulkId}`))
    .join(", ");
}

function showFailed(results: readonly PaymentResult[], { lines }: PaymentList): void {
  const failed = results.filter(({ state }) => state === "rejected" || state === "returned");
  if (failed.length === 0) return;
  const rows = failed.slice(0, shownResults).map(({ index, payment, state, reason }) => {
    const { partnerReferenceNo, beneficiaryAccountNo, beneficiaryAccountName, amount } = payment;
    const account = `${beneficiaryAccountNo} ${beneficiaryAccountName}`;
    return { line: lines[index], partnerReferenceNo, account, amount: amount.value, state, reason };
  });
  const columns = {
    line: "line",
    partnerReferenceNo: "partner's number",
    account: "beneficiary",
    amount: amountColumn("amount"),
  };
  print(`\n${formatTable({ ...columns, state: "state", reason: "reason" }, rows)}`);
  if (failed.length > shownResults) note(`… and ${failed.length - shownResults} more`);
}
