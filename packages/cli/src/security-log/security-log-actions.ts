/** Actions of `titian security-log`. */
import { writeRow } from "@titian/contract/csv-cells";
import {
  dayOf,
  instantOf,
  readSecurityLines,
  type SecurityLine,
  type VerifiedLog,
  verifySecurityLog,
} from "@titian/server/admin";
import { CliError, type ExitCode, exitCodes, usageError } from "../cli-error.ts";
import { formatJson, note, print } from "../output.ts";

export interface VerifyFlags {
  readonly through?: string;
  readonly json?: true;
}

export async function verify(files: readonly string[], { through, json }: VerifyFlags): Promise<ExitCode> {
  if (through !== undefined && !/^[0-9a-f]{64}$/.test(through)) {
    throw usageError("--through is a hash of 64 hexadecimal digits, as verify prints it");
  }
  const result = await verifySecurityLog(files, through).catch(explainUnreadable);
  const { lines, last, fault, hasExpected } = result;
  const isRight = fault === undefined && hasExpected;
  if (json === true) print(formatJson({ ok: isRight, lines, last, fault, hasExpected }));
  else report(result, through);
  return isRight ? exitCodes.done : exitCodes.failed;
}

function report({ lines, last, fault, hasExpected }: VerifiedLog, through: string | undefined): void {
  if (fault !== undefined) print(`${fault.path}, line ${fault.line}: ${fault.what}.`);
  else if (hasExpected) print(`As written: ${lines} lines.`);
  else print(`No line has the hash ${through}: the end of the log is missing.`);
  if (last === undefined) return;
  const until = fault === undefined ? "Last line" : "Last line that is as it was written";
  note(`${until}: number ${last.sequence} of chain ${last.chain}, ${last.time}, hash ${last.hash}`);
}

export interface ExportFlags {
  readonly from?: string;
  readonly to?: string;
  readonly partner?: string;
  readonly csv?: true;
}

const columns = [
  "time",
  "event",
  "address",
  "partner",
  "identity",
  "operation",
  "correlationId",
  "reason",
  "act",
  "target",
  "count",
  "chain",
  "sequence",
  "hash",
] as const satisfies readonly (keyof SecurityLine)[];

export async function exportLines(files: readonly string[], { from, to, partner, csv }: ExportFlags): Promise<void> {
  const start = from === undefined ? Number.NEGATIVE_INFINITY : startOfDay("--from", from);
  const end = to === undefined ? Number.POSITIVE_INFINITY : startOfDay("--to", to, 1);
  let unreadable = 0;
  if (csv === true) process.stdout.write(writeRow(columns, ","));
  for (const file of files) {
    for await (const line of readable(file)) {
      if (line === undefined) unreadable += 1;
      else if (isWanted(line, { start, end, partner })) {
        if (csv === true)
          process.stdout.write(
            writeRow(
              columns.map((name) => textOf(line[name])),
              ",",
            ),
          );
        else print(JSON.stringify(line));
      }
    }
  }
  if (unreadable > 0)
    note(`${unreadable} lines are not as they were written, and left out: titian security-log verify`);
}

async function* readable(file: string): AsyncIterable<SecurityLine | undefined> {
  try {
    yield* readSecurityLines(file);
  } catch (error) {
    explainUnreadable(error);
  }
}

const textOf = (value: string | number | undefined) => (value === undefined ? undefined : String(value));

interface Wanted {
  /** Epoch ms. */
  readonly start: number;
  readonly end: number;
  readonly partner: string | undefined;
}

function isWanted(line: SecurityLine, { start, end, partner }: Wanted): boolean {
  const at = Date.parse(line.time);
  return at >= start && at < end && (partner === undefined || line.partner === partner);
}

/** The begin (epoch ms) of the business day, or of one so many days later. */
function startOfDay(option: string, text: string, later = 0): number {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? dayOf(text) : Number.NaN;
  if (Number.isNaN(day)) throw usageError(`${option} ${text} is no date: give one such as 2026-01-31.`);
  return instantOf(day + later, 0);
}

function explainUnreadable(error: unknown): never {
  if (!(error instanceof Error) || !("code" in error)) throw error;
  throw new CliError(`The file cannot be read: ${error.message}`, exitCodes.usage, { cause: error });
}
