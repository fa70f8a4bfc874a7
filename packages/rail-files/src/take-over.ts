/** Lets what a directory of an earlier release has count as handed over. */
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { array, fits, integer, object, optional, record, type Schema, string } from "@titian/contract";
import {
  type HandedOverLine,
  type Instant,
  railsCommand,
  type RailRecords,
  type ResultPositions,
} from "@titian/server/rails";
import type { JudgedLine } from "./export/compare.ts";
import { reviewDirectory } from "./export/review.ts";

/**
 * Returns how many lines are taken over; twice is as once. No node may work there meanwhile.
 * @throws when a line cannot be read, is another ledger's, or is one that the database has forgotten: nothing is recorded then.
 */
export async function takeOverDirectory(directory: string, records: RailRecords, now: Instant): Promise<number> {
  fenceEarlierRelease(directory);
  // A line that is there twice is one instruction.
  const found = new Map(openInstructionsIn(directory).map((line) => [line.terms.referenceNo, line]));
  const onLine = ({ line: { content }, verdict }: JudgedLine) => {
    if (verdict !== "earlier" || !content.ok) return;
    const { terms, validUntil = "" } = content.line;
    found.set(terms.referenceNo, { terms, sequence: undefined, writtenAt: Date.parse(validUntil) || 0 });
  };
  const { first } = await reviewDirectory({ directory, records, now, isWhole: true, isHolder: false, onLine });
  if (first.ahead !== undefined)
    throw new Error(
      `The database has forgotten ${first.ahead}, as after a restore: ${railsCommand(records.cell)} reconcile lists all.`,
    );
  if (first.foreign !== undefined)
    throw new Error(`${first.foreign} is of another ledger: this is another service's directory.`);
  const broken = first.unreadable ?? first.edited;
  if (broken !== undefined) throw new Error(`${broken} cannot be taken over: give the file back its lines.`);
  await records.recordHandedOver([...found.values()], readPositions(directory));
  return found.size;
}

/** A process of an earlier release that still works there sees that the directory was given away, and none starts there. */
function fenceEarlierRelease(directory: string): void {
  const numbers = readdirSync(directory).map((name) => Number(/^lock-(\d+)$/.exec(name)?.[1] ?? 0));
  const last = Math.max(0, ...numbers);
  const ours = JSON.stringify({ pid: 0, host: "the database" });
  if (last === 0 || readFileSync(join(directory, `lock-${last}`), "utf8") === ours) return;
  writeFileSync(join(directory, `lock-${last + 1}`), ours, { flag: "wx", mode: 0o600 });
}

const OpenInstructions = object({
  /** `[amount, currency, bank, account]` as JSON text, by number. */
  open: record(string()),
  keys: optional(record(string())),
});

const Content: Schema<readonly [string, string, string, string]> = {
  type: "array",
  items: string(),
  minItems: 4,
  maxItems: 4,
};

/** Lines that an earlier release knew of files that were archived since. */
function openInstructionsIn(directory: string): readonly HandedOverLine[] {
  const value = readJson(join(directory, "open-instructions.json"), OpenInstructions);
  return Object.entries(value?.open ?? {}).map(([referenceNo, text]) => {
    const content: unknown = JSON.parse(text);
    if (!fits(Content, content))
      throw new Error(`open-instructions.json cannot be read at ${referenceNo}. Restore it.`);
    const [amount, currency, beneficiaryBankCode, beneficiaryAccountNo] = content;
    const idempotencyKey = value?.keys?.[referenceNo];
    const unknown = { beneficiaryAccountName: "", sourceAccountNo: "", details: {} };
    const terms = {
      referenceNo,
      idempotencyKey,
      amount,
      currency,
      beneficiaryBankCode,
      beneficiaryAccountNo,
      ...unknown,
    };
    return { terms, sequence: undefined, writtenAt: 0 };
  });
}

const Offset = integer({ minimum: 0 });
const Positions = record(object({ upTo: Offset, beyond: array(Offset) }));

function readPositions(directory: string): ResultPositions {
  return readJson(join(directory, "acknowledged.json"), Positions) ?? {};
}

function readJson<Value>(path: string, schema: Schema<Value>): Value | undefined {
  if (!existsSync(path)) return undefined;
  const value: unknown = JSON.parse(readFileSync(path, "utf8"));
  if (!fits(schema, value)) throw new Error(`${path} cannot be read. Restore it.`);
  return value;
}
