/**
 * A directory against the database, without a side effect: after a restore the directory has lines that the database has
 * forgotten; an empty, older or other directory lacks lines that the database has. Nothing is exported then.
 */
import type { AnyInstructionLine, FoundToReview, InstructionTerms, RailName, ReadLine } from "@titian/server/rails";
import type { SequenceSet } from "./sequence-set.ts";

/** A complete line of a file of instructions, or what of the file's end is none. */
export interface FoundLine {
  readonly file: string;
  /** From 1; 0: the whole file, or its last line. */
  readonly line: number;
  readonly text: string;
  readonly content: ReadLine;
  /** Present: a crash cut it off, and nobody takes it for a line. */
  readonly isTorn?: boolean;
}

/**
 * ahead: the database does not have it: it was restored to a time before · edited: it says otherwise than the database ·
 * foreign: of another ledger, or rail · earlier: in the form of an earlier release, and not taken over · repeated: again the same
 * instruction · decided: an operator decided on it, and the database has it under no sequence of its · torn, unreadable: nobody can read it.
 */
export type LineVerdict =
  | "agrees"
  | "ahead"
  | "edited"
  | "foreign"
  | "earlier"
  | "repeated"
  | "decided"
  | "torn"
  | "unreadable";

export interface JudgedLine {
  readonly line: FoundLine;
  readonly verdict: LineVerdict;
}

interface Compared extends FoundToReview {
  readonly rail: RailName;
  readonly ledgerId: string;
  /** Sequences whose lines were found so far; those of these lines are added. */
  readonly seen: SequenceSet;
}

export function compareLines(
  lines: readonly FoundLine[],
  { rail, ledgerId, seen, known, decided }: Compared,
): readonly JudgedLine[] {
  const byNumber = new Map(known.map((one) => [one.terms.referenceNo, one]));
  const skipped = new Set(decided.map(({ referenceNo, sequence }) => `${sequence} ${referenceNo}`));
  const judge = ({ content, isTorn }: FoundLine): LineVerdict => {
    if (!content.ok) return isTorn === true ? "torn" : "unreadable";
    const { terms, sequence, ledgerId: writtenBy = ledgerId, rail: writtenFor = rail } = content.line;
    if (writtenBy !== ledgerId || writtenFor !== rail) return "foreign";
    const { referenceNo } = terms;
    const found = byNumber.get(referenceNo);
    if (found?.sequence !== sequence && skipped.has(`${sequence} ${referenceNo}`)) return "decided";
    if (found?.sequence === undefined && isOfThisForm(content.line)) return "ahead";
    if (found === undefined) return "earlier";
    const isNew = found.sequence === undefined || seen.add(found.sequence);
    if (sequence !== undefined && sequence !== found.sequence) return "edited";
    if (contentOf(terms) !== contentOf(found.terms)) return "edited";
    return isNew ? "agrees" : "repeated";
  };
  return lines.map((line) => ({ line, verdict: judge(line) }));
}

function isOfThisForm({ sequence, ledgerId, validUntil }: AnyInstructionLine): boolean {
  return sequence !== undefined && ledgerId !== undefined && validUntil !== undefined;
}

type ComparedTerms = Pick<
  InstructionTerms,
  "referenceNo" | "idempotencyKey" | "amount" | "currency" | "beneficiaryBankCode" | "beneficiaryAccountNo"
>;

/** Content that is the same in two submissions of one instruction. */
export function contentOf(terms: ComparedTerms): string {
  const { amount, currency, beneficiaryBankCode, beneficiaryAccountNo, idempotencyKey = null } = terms;
  return JSON.stringify([amount, currency, beneficiaryBankCode, beneficiaryAccountNo, idempotencyKey]);
}

/** Its number is shown where it can be read. */
export function placeOf({ file, line, content }: FoundLine): string {
  const place = line === 0 ? file : `${file} line ${line}`;
  return `${place} (${content.ok ? content.line.terms.referenceNo : content.fault})`;
}
