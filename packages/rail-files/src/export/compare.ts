/**
 * A directory against the database, without a side effect: after a restore the directory has lines that the database has
 * forgotten; an empty, older or other directory lacks lines that the database has. Nothing is exported then.
 */
import type { InstructionTerms, KnownInstruction } from "@titian/server/rails";

/** A complete line of a file of instructions, or what of the file's end is none. */
export interface FoundLine {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly content: LineContent | { readonly fault: string; readonly isTorn?: boolean };
}

export interface LineContent {
  /** Absent in lines of releases before there was one, like the sequence. */
  readonly ledgerId?: string | undefined;
  readonly sequence?: number | undefined;
  readonly validUntil?: string | undefined;
  readonly terms: InstructionTerms;
}

type ComparedTerms = Pick<
  InstructionTerms,
  "referenceNo" | "idempotencyKey" | "amount" | "currency" | "beneficiaryBankCode" | "beneficiaryAccountNo"
>;

export interface Compared {
  readonly ledgerId: string;
  /** Instructions up to this sequence are not expected in the directory. */
  readonly releasedSequence: number;
  readonly lines: readonly FoundLine[];
  readonly known: readonly KnownInstruction[];
}

export interface Comparison {
  /** Lines that the database does not have: it was restored to a time before them. */
  readonly ahead: readonly FoundLine[];
  /** What the database has as written, and no file has. */
  readonly behind: readonly KnownInstruction[];
  /** Lines that say otherwise than the database. */
  readonly edited: readonly FoundLine[];
  /** Lines of another ledger. */
  readonly foreign: readonly FoundLine[];
  /** Lines that say an instruction again, and such that cannot be read: neither stops the rail. */
  readonly repeated: readonly FoundLine[];
  readonly unreadable: readonly FoundLine[];
  /** Numbers of all that have a line. */
  readonly found: ReadonlySet<string>;
}

export function compareDirectory({ ledgerId, releasedSequence, lines, known }: Compared): Comparison {
  const byNumber = new Map(known.map((one) => [one.terms.referenceNo, one]));
  const lists = { ahead: [], edited: [], foreign: [], repeated: [], unreadable: [] } satisfies Record<
    string,
    FoundLine[]
  >;
  const byVerdict: Record<Exclude<Verdict, "first">, FoundLine[]> = lists;
  const found = new Set<string>();
  for (const line of lines) {
    const verdict = judge(line, { ledgerId, byNumber, found });
    if (verdict !== "first") byVerdict[verdict].push(line);
    if (verdict !== "foreign" && "terms" in line.content) found.add(line.content.terms.referenceNo);
  }
  const behind = known.filter(
    ({ terms, sequence, isWritten }) =>
      isWritten && sequence !== undefined && sequence > releasedSequence && !found.has(terms.referenceNo),
  );
  return { ...byVerdict, behind, found };
}

type Verdict = "first" | "ahead" | "edited" | "foreign" | "repeated" | "unreadable";

interface Seen {
  readonly ledgerId: string;
  readonly byNumber: ReadonlyMap<string, KnownInstruction>;
  readonly found: ReadonlySet<string>;
}

function judge({ content }: FoundLine, { ledgerId, byNumber, found }: Seen): Verdict {
  if ("fault" in content) return "unreadable";
  if (content.ledgerId !== undefined && content.ledgerId !== ledgerId) return "foreign";
  const known = byNumber.get(content.terms.referenceNo);
  if (known === undefined) return "ahead";
  // The number is asked for, and its line was written by what this database has forgotten.
  if (content.sequence !== undefined && known.sequence === undefined) return "ahead";
  if (content.sequence !== undefined && content.sequence !== known.sequence) return "edited";
  if (contentOf(content.terms) !== contentOf(known.terms)) return "edited";
  return found.has(content.terms.referenceNo) ? "repeated" : "first";
}

/** What is the same of two submissions of one instruction. */
export function contentOf(terms: ComparedTerms): string {
  const { amount, currency, beneficiaryBankCode, beneficiaryAccountNo, idempotencyKey = null } = terms;
  return JSON.stringify([amount, currency, beneficiaryBankCode, beneficiaryAccountNo, idempotencyKey]);
}

const advice: Readonly<Record<"ahead" | "behind" | "edited" | "foreign", string>> = {
  ahead:
    "the database has forgotten them, as after a restore: compare them with the rail's records before anything is paid",
  behind:
    "this is not the rail's directory, or an older copy of it: give it back its own, or release it if that is lost",
  edited: "give the file back its lines",
  foreign: "another service works in this directory: give each its own",
};

/** Why the rail must not go on; undefined: it may. */
export function reasonToStop(comparison: Comparison): string | undefined {
  const { ahead, behind, edited, foreign } = comparison;
  const said = [
    say("ahead", ahead.length, "lines that the database does not have", ahead[0] && placeOf(ahead[0])),
    say("behind", behind.length, "instructions without their line", behind[0]?.terms.referenceNo),
    say("edited", edited.length, "changed lines", edited[0] && placeOf(edited[0])),
    say("foreign", foreign.length, "lines of another ledger", foreign[0] && placeOf(foreign[0])),
  ];
  return said.filter((one) => one !== "").join("; ") || undefined;
}

function say(kind: keyof typeof advice, count: number, what: string, first: string | undefined): string {
  return count === 0 ? "" : `the directory is ${kind}: ${count} ${what}, the first is ${first}; ${advice[kind]}`;
}

/** Its number is shown where it can be read. */
export function placeOf({ file, line, content }: FoundLine): string {
  const said = "fault" in content ? content.fault : content.terms.referenceNo;
  return `${file} line ${line} (${said})`;
}
