/** CSV files of the results: each line with its result, and what is to be paid again. */
import { accessSync, constants, renameSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { type BulkPayment, type PaymentResult, paymentsToRetry } from "@titian/client";
import { usageError } from "../cli-error.ts";
import type { PaymentList } from "./payment-list.ts";
import { paymentColumns } from "./read-payments.ts";

/** Checked before anything is sent. @throws CliError when the file cannot be written, or is the list itself. */
export function checkOutput(option: string, path: string | undefined, listPath: string): void {
  if (path === undefined) return;
  if (resolve(path) === resolve(listPath)) throw usageError(`${option} ${path} is the list itself.`);
  try {
    accessSync(dirname(resolve(path)), constants.W_OK);
  } catch (error) {
    throw Object.assign(usageError(`${option} ${path} cannot be written: is its directory there?`), { cause: error });
  }
}

export function writeResults(path: string, { lines, delimiter }: PaymentList, results: readonly PaymentResult[]): void {
  const header = ["line", ...paymentColumns, "result", "responseCode", "reason", "referenceNo"];
  const rows = results.map(({ index, payment, state, responseCode, reason, referenceNo }) => {
    return [String(lines[index] ?? ""), ...cellsOf(payment), state, responseCode, reason, referenceNo];
  });
  write(path, delimiter, [header, ...rows]);
}

/** Rejected and returned payments under their next numbers; without any, the header alone. */
export function writeRetry(path: string, { delimiter }: PaymentList, results: readonly PaymentResult[]): void {
  write(path, delimiter, [paymentColumns, ...paymentsToRetry(results).map(cellsOf)]);
}

function cellsOf({ partnerReferenceNo, amount, ...payment }: BulkPayment): readonly (string | undefined)[] {
  const { bankCode, beneficiaryAccountNo, beneficiaryAccountName } = payment;
  return [partnerReferenceNo, bankCode, beneficiaryAccountNo, beneficiaryAccountName, amount.value, amount.currency];
}

/** For its owner only, and never by halves. */
function write(path: string, delimiter: string, rows: readonly (readonly (string | undefined)[])[]): void {
  const quote = (cell = "") => (/["\n\r,;\t]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
  const text = rows.map((row) => `${row.map(quote).join(delimiter)}\n`).join("");
  const half = `${path}.part`;
  writeFileSync(half, text, { mode: 0o600 });
  renameSync(half, path);
}
