/** CSV files of the results: each line with its result, and what is to be paid again. */
import {
  accessSync,
  constants,
  lstatSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type BulkPayment, type PaymentResult, paymentsToRetry } from "@titian/client";
import { usageError } from "../cli-error.ts";
import { writeRow } from "@titian/contract/csv-cells";
import type { PaymentList } from "./payment-list.ts";
import { paymentColumns, readPayments } from "./read-payments.ts";

export interface OutputFiles {
  readonly results?: string;
  readonly retry?: string;
}

const resultColumns = ["line", ...paymentColumns, "result", "responseCode", "reason", "referenceNo"];
const delimiters = [",", ";", "\t"];

/**
 * Checked before anything is sent. A file that is there is replaced only if an earlier run of the command wrote it.
 * @throws CliError when a file cannot be written, is the list itself, or is another one.
 */
export function checkOutputs({ results, retry }: OutputFiles, listPath: string): void {
  checkOutput("--results", results, listPath, isResults);
  checkOutput("--retry", retry, listPath, isRetry);
  if (results !== undefined && retry !== undefined && resolve(results) === resolve(retry)) {
    throw usageError(`--results and --retry are both ${results}: name two files.`);
  }
}

function checkOutput(
  option: string,
  path: string | undefined,
  listPath: string,
  isOurs: (bytes: Uint8Array) => boolean,
): void {
  if (path === undefined) return;
  try {
    accessSync(dirname(resolve(path)), constants.W_OK);
  } catch (error) {
    throw Object.assign(usageError(`${option} ${path} cannot be written: is its directory there?`), { cause: error });
  }
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (isSameFile(path, listPath)) throw usageError(`${option} ${path} is the list itself.`);
  if (found === undefined) return;
  if (!found.isFile()) throw usageError(`${option} ${path} is there and no regular file: name another.`);
  if (!isOurs(readFileSync(path))) {
    throw usageError(
      `${option} ${path} is there, and not from an earlier run of this command: remove it, or name another.`,
    );
  }
}

/** By whatever name or link. */
function isSameFile(path: string, other: string): boolean {
  const [one, another] = [path, other].map((name): Stats | undefined => statSync(name, { throwIfNoEntry: false }));
  if (one === undefined || another === undefined) return resolve(path) === resolve(other);
  return one.dev === another.dev && one.ino === another.ino;
}

function isResults(bytes: Uint8Array): boolean {
  return begins(bytes, resultColumns) !== undefined;
}

/** A list of payments all of which are further tries: `PAYROLL-000001-R2`. */
function isRetry(bytes: Uint8Array): boolean {
  if (begins(bytes, paymentColumns) === undefined) return false;
  try {
    return readPayments(bytes).payments.every(({ partnerReferenceNo = "" }) => /-R\d{1,4}$/.test(partnerReferenceNo));
  } catch {
    return false;
  }
}

function begins(bytes: Uint8Array, columns: readonly string[]): string | undefined {
  const text = Buffer.from(bytes).toString("utf8");
  return delimiters.find((delimiter) => text.startsWith(writeRow(columns, delimiter)));
}

export function writeResults(path: string, { lines, delimiter }: PaymentList, results: readonly PaymentResult[]): void {
  const rows = results.map(({ index, payment, state, responseCode, reason, referenceNo }) => {
    return [String(lines[index] ?? ""), ...cellsOf(payment), state, responseCode, reason, referenceNo];
  });
  write(path, delimiter, [resultColumns, ...rows]);
}

/** Rejected and returned payments under their next numbers; without any, the header alone. */
export function writeRetry(path: string, { delimiter }: PaymentList, results: readonly PaymentResult[]): void {
  write(path, delimiter, [paymentColumns, ...paymentsToRetry(results).map(cellsOf)]);
}

function cellsOf({ partnerReferenceNo, amount, ...payment }: BulkPayment): readonly (string | undefined)[] {
  const { bankCode, beneficiaryAccountNo, beneficiaryAccountName } = payment;
  return [partnerReferenceNo, bankCode, beneficiaryAccountNo, beneficiaryAccountName, amount.value, amount.currency];
}

/** For its owner only, and never by halves. The half is in a new directory: no link that somebody laid is followed. */
function write(path: string, delimiter: string, rows: readonly (readonly (string | undefined)[])[]): void {
  const directory = mkdtempSync(join(dirname(resolve(path)), ".titian-"));
  try {
    const half = join(directory, "part");
    writeFileSync(half, rows.map((row) => writeRow(row, delimiter)).join(""), { mode: 0o600 });
    renameSync(half, path);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
