/**
 * A line of a rail's directory, as the exporter writes it (docs/reference/rails.md#instructions), read back: a file may
 * hold anything.
 */
import type { InstructionLine, InstructionRecord, InstructionTerms } from "../rail-records.ts";

/** Lines of releases before the present form lack the ledger's id, the sequence, or both. */
export interface AnyInstructionLine extends Pick<InstructionLine, "terms" | "record"> {
  readonly sequence: number | undefined;
  readonly ledgerId: string | undefined;
  /** Absent in lines of releases before. */
  readonly rail: string | undefined;
  readonly validUntil: string | undefined;
}

export type ReadLine =
  | { readonly ok: true; readonly line: AnyInstructionLine }
  | { readonly ok: false; readonly fault: string };

type Members = Readonly<Record<string, unknown>>;

/** Fields that are the same in two submissions of one instruction. */
const comparedNames = ["amount", "currency", "beneficiaryBankCode", "beneficiaryAccountNo"] as const;
const recordNames = [
  "partner",
  "partnerId",
  "serviceCode",
  "externalId",
  "partnerReferenceNo",
  "requestFingerprint",
  "fee",
  "payerAccountNo",
] as const;

/** As the database takes them. */
const number = /^[\x20-\x7e]{1,64}$/;
/** Far beyond what a rail carries, and far from where numbers lose their precision. */
const sequenceMax = 1e15;

export function readInstructionLine(text: string): ReadLine {
  const members = parse(text);
  if (members === undefined) return { ok: false, fault: "it is no JSON object" };
  const terms = readTerms(members);
  const { sequence, ledgerId, rail, validUntil } = members;
  const isSequence = sequence === undefined || isPositive(sequence);
  if (
    terms === undefined ||
    !isSequence ||
    !isTextOrAbsent(ledgerId) ||
    !isTextOrAbsent(rail) ||
    !isTextOrAbsent(validUntil)
  )
    return { ok: false, fault: "it is no instruction" };
  return { ok: true, line: { terms, sequence, ledgerId, rail, validUntil, record: readRecord(members) } };
}

/** A line of the present form, as it is kept of a difference. @throws when it is none. */
export function readKeptLine(text: string): InstructionLine {
  const read = readInstructionLine(text);
  if (!read.ok) throw new Error(`A kept line of a rail's directory cannot be read: ${read.fault}.`);
  const { terms, sequence, ledgerId, validUntil, record } = read.line;
  if (sequence === undefined || ledgerId === undefined || validUntil === undefined)
    throw new Error("A kept line of a rail's directory is of an earlier form.");
  return { terms, sequence, ledgerId, validUntil, record };
}

function parse(text: string): Members | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

function readTerms(members: Members): InstructionTerms | undefined {
  const { referenceNo, idempotencyKey, details } = members;
  if (!isNumber(referenceNo) || (idempotencyKey !== undefined && !isNumber(idempotencyKey))) return undefined;
  const [amount, currency, beneficiaryBankCode, beneficiaryAccountNo] = comparedNames.map((name) => members[name]);
  if (!isText(amount) || !isText(currency) || !isText(beneficiaryBankCode) || !isText(beneficiaryAccountNo))
    return undefined;
  return {
    referenceNo,
    idempotencyKey,
    amount,
    currency,
    beneficiaryBankCode,
    beneficiaryAccountNo,
    beneficiaryAccountName: textOf(members, "beneficiaryAccountName") ?? "",
    sourceAccountNo: textOf(members, "sourceAccountNo") ?? "",
    // As it was written from terms.
    details: typeof details === "object" && details !== null ? (details as InstructionTerms["details"]) : {},
  };
}

function readRecord(members: Members): InstructionRecord {
  const entries = recordNames.map((name) => [name, textOf(members, name)]);
  return Object.fromEntries(entries) as InstructionRecord;
}

function textOf(members: Members, name: string): string | null {
  const value = members[name];
  return isText(value) ? value : null;
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}

function isTextOrAbsent(value: unknown): value is string | undefined {
  return value === undefined || isText(value);
}

function isNumber(value: unknown): value is string {
  return isText(value) && number.test(value);
}

function isPositive(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0 && Number(value) < sequenceMax;
}
