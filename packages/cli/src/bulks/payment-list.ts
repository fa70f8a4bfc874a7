/** The list of payments in a CSV file, checked against the contract. */
import { readFileSync } from "node:fs";
import { parse } from "node:path";
import { type BulkOrder, findPaymentFaults } from "@titian/client";
import { type CliError, usageError } from "../cli-error.ts";
import { type PaymentFile, readPayments, type RowFault } from "./read-payments.ts";

export interface ListFlags {
  readonly source: string;
  readonly name?: string;
  readonly feeType?: "OUR" | "BEN" | "SHA";
  readonly remark?: string;
}

export interface PaymentList extends Pick<PaymentFile, "delimiter" | "ignored" | "lines"> {
  readonly order: BulkOrder;
}

const shownFaults = 20;
const namePattern = /^[\w.-]{1,40}$/;

/** @throws CliError that shows the file's faulty lines, up to 20. */
export function readList(path: string, { source, name = nameOf(path), feeType, remark }: ListFlags): PaymentList {
  if (!namePattern.test(name)) throw usageError(`--name ${name} must be 1 to 40 letters, digits, '-', '_' or '.'.`);
  const { payments, lines, faults, delimiter, ignored } = readPayments(readFile(path));
  const order = { name, sourceAccountNo: source, payments, ...(feeType && { feeType }), ...(remark && { remark }) };
  const misshapen = new Set(faults.map(({ line }) => line));
  const found = findPaymentFaults(order)
    .map(({ index, field, message }): RowFault => {
      return { line: index === undefined ? 0 : (lines[index] ?? 0), column: columnOf(field), message };
    })
    .filter(({ line }) => !misshapen.has(line));
  const all = [...faults, ...found].sort((one, other) => one.line - other.line);
  if (all.length > 0) throw faultsError(path, all);
  return { order, lines, delimiter, ignored };
}

function readFile(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw Object.assign(usageError(`${path} cannot be read: ${reason}`), { cause: error });
  }
}

/** Other characters than those of a name become `-`. */
function nameOf(path: string): string {
  return parse(path).name.replaceAll(/[^\w.-]+/g, "-");
}

function columnOf(field: string): string {
  if (field === "amount.value") return "amount";
  if (field === "amount.currency") return "currency";
  return field === "sourceAccountNo" ? "--source" : field;
}

function faultsError(path: string, faults: readonly RowFault[]): CliError {
  const shown = faults.slice(0, shownFaults).map(({ line, column, message }) => {
    const what = column === undefined ? message : `${column} ${message}`;
    return line === 0 ? what : `line ${line}: ${what}`;
  });
  const more = faults.length > shownFaults ? [`… and ${faults.length - shownFaults} more`] : [];
  return usageError([`${path} has ${faults.length} faults; nothing was sent:`, ...shown, ...more].join("\n  "));
}
