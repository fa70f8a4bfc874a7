/** Reads a CSV file of payments: comma, semicolon (as Excel writes in Indonesia) or tab; columns by name, in any order. */
import type { BulkPayment } from "@titian/client";
import { CsvError, parse } from "csv-parse/sync";
import { usageError } from "../cli-error.ts";
import { restoreCell } from "@titian/contract/csv-cells";

/** A row that cannot be paid as it is. */
export interface RowFault {
  /** In the file, from 1. */
  readonly line: number;
  /** `amount`; absent where it is the row's. */
  readonly column?: string;
  readonly message: string;
}

export interface PaymentFile {
  readonly payments: readonly BulkPayment[];
  /** Line of each payment. */
  readonly lines: readonly number[];
  readonly faults: readonly RowFault[];
  readonly delimiter: string;
  /** Columns that are not read. */
  readonly ignored: readonly string[];
}

const mandatoryColumns = ["bankCode", "beneficiaryAccountNo", "beneficiaryAccountName", "amount"] as const;
export const paymentColumns = ["partnerReferenceNo", ...mandatoryColumns, "currency"] as const;

/** The cells of a row by their column. */
type Cells = Partial<Record<(typeof paymentColumns)[number], string>>;

interface Row {
  readonly record: readonly string[];
  readonly line: number;
}

/**
 * Rows of a wrong length and numbers that a spreadsheet has rounded are faults; what else is wrong with a payment is for the
 * contract to find. @throws CliError when the file cannot be read as such.
 */
export function readPayments(bytes: Uint8Array): PaymentFile {
  const text = decode(bytes);
  const delimiter = delimiterOf(text);
  const [header, ...rows] = parseRows(text, delimiter);
  if (!header) throw usageError(`The file is empty. Its first line must name the columns: ${paymentColumns.join(",")}`);
  const { columns, ignored } = readHeader(header.record);
  const read = rows.map((row) => {
    const cells: Cells = {};
    for (const [position, cell] of row.record.entries()) {
      const column = columns[position];
      if (column && cell !== "") cells[column] = restoreCell(cell);
    }
    return { payment: toPayment(cells), line: row.line, faults: findShapeFaults(row, header.record.length, cells) };
  });
  return {
    payments: read.map(({ payment }) => payment),
    lines: read.map(({ line }) => line),
    faults: read.flatMap(({ faults }) => faults),
    delimiter,
    ignored,
  };
}

function decode(bytes: Uint8Array): string {
  try {
    // One line end, so that a line break in quotes counts as one line.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes).replaceAll(/\r\n?/g, "\n");
  } catch (error) {
    throw Object.assign(usageError('The file is not UTF-8. In Excel save it as "CSV UTF-8".'), { cause: error });
  }
}

/** That which separates the most of the header. */
function delimiterOf(text: string): string {
  const [header = ""] = text.trimStart().split("\n", 1);
  const counts = [",", ";", "\t"].map((delimiter) => ({ delimiter, count: header.split(delimiter).length }));
  return counts.reduce((best, one) => (one.count > best.count ? one : best)).delimiter;
}

function parseRows(text: string, delimiter: string): readonly Row[] {
  try {
    const lines: number[] = [];
    const records = parse(text, {
      delimiter,
      trim: true,
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      on_record: (record: string[], info) => {
        lines.push(info.lines);
        return record;
      },
    });
    return records.map((record, index) => ({ record, line: lines[index] ?? 0 }));
  } catch (error) {
    if (error instanceof CsvError) throw usageError(`The file is not CSV: ${error.message}`);
    throw error;
  }
}

function readHeader(names: readonly string[]) {
  const columns = names.map((name) => paymentColumns.find((known) => known.toLowerCase() === name.toLowerCase()));
  const missing = mandatoryColumns.filter((name) => !columns.includes(name));
  if (missing.length > 0) {
    throw usageError(`The first line names no column ${missing.join(", ")}. It has: ${names.join(", ")}`);
  }
  const twice = columns.find((column, position) => column && columns.indexOf(column) !== position);
  if (twice) throw usageError(`The first line names the column ${twice} twice.`);
  return { columns, ignored: names.filter((name, position) => name !== "" && !columns[position]) };
}

/** An absent cell is a blank text, which the contract tells to be missing. */
function toPayment(cells: Cells): BulkPayment {
  const { partnerReferenceNo, bankCode = "", beneficiaryAccountNo = "", beneficiaryAccountName = "" } = cells;
  const { amount: value = "", currency = "IDR" } = cells;
  const payment = { bankCode, beneficiaryAccountNo, beneficiaryAccountName, amount: { value, currency } };
  return partnerReferenceNo === undefined ? payment : { partnerReferenceNo, ...payment };
}

function findShapeFaults({ record, line }: Row, width: number, cells: Cells): readonly RowFault[] {
  if (record.length !== width) {
    return [{ line, message: `has ${record.length} cells where the first line has ${width}` }];
  }
  const rounded = (["beneficiaryAccountNo", "partnerReferenceNo"] as const).filter((column) =>
    /^\d(?:[.,]\d+)?E\+?\d+$/i.test(cells[column] ?? ""),
  );
  return rounded.map((column) => ({
    line,
    column,
    message: `is ${cells[column]}, a number that a spreadsheet has rounded: format the column as text`,
  }));
}
