/**
 * A rail's directory against the database, page by page: each difference is kept for an operator, and what is not written yet
 * is found. Memory holds a page and a bit for each instruction.
 */
import {
  businessDay,
  dateOf,
  type FoundDifference,
  type Instant,
  type KnownInstruction,
  type RailRecords,
  type ReviewStart,
} from "@titian/server/rails";
import { compareLines, type FoundLine, type JudgedLine, type LineVerdict, placeOf } from "./compare.ts";
import { listFiles, readPages } from "./read-directory.ts";
import { createSequenceSet, type SequenceSet } from "./sequence-set.ts";

export type ReviewedKind = LineVerdict | "behind";

export interface Review {
  readonly counts: Readonly<Record<ReviewedKind, number>>;
  /** The first of each kind: its place, or its number where there is none. */
  readonly first: Readonly<Partial<Record<ReviewedKind, string>>>;
  /** Whether the rail waits for an operator to open it. */
  readonly isAhead: boolean;
  /** The last that a line of this ledger has; 0: there is none. */
  readonly sequence: number;
  /** The day of the newest file; empty: there is none. */
  readonly newestDay: string;
}

export interface ReviewDeps {
  readonly directory: string;
  readonly records: RailRecords;
  /** Reads what was written since, and of files before the last line; absent: everything. */
  readonly since?: Instant;
  readonly isHolder: boolean;
  /** Called after each page: all of it may take longer than a lease lasts. */
  readonly onPage?: () => Promise<void>;
  /** Gets each line that neither agrees nor is ahead. */
  readonly onLine?: (line: JudgedLine) => void;
}

const dayMs = 86_400_000;

export async function reviewDirectory(deps: ReviewDeps): Promise<Review> {
  const { directory, records, since, isHolder } = deps;
  const start = await records.startReview({ since, isHolder });
  const tally = createTally();
  const seen = createSequenceSet(start.behind, start.upTo);
  const files = await listFiles(directory);
  // A file is read wholly from a day before on: its lines may be of the next one.
  const wholeFrom = since === undefined ? "" : dateOf(businessDay(since - dayMs));
  for await (const lines of readPages(directory, files, wholeFrom)) {
    await reviewPage(deps, lines, { start, seen, tally });
    await deps.onPage?.();
  }
  await reviewWritten(deps, { start, seen, tally });
  const newestDay = files.reduce((newest, { day }) => (day > newest ? day : newest), "");
  const isAhead = start.isAhead || tally.counts.ahead > 0;
  return { counts: tally.counts, first: tally.first, sequence: tally.sequence(), isAhead, newestDay };
}

interface Pass {
  readonly start: ReviewStart;
  readonly seen: SequenceSet;
  readonly tally: Tally;
}

async function reviewPage(
  { records, onLine }: ReviewDeps,
  lines: readonly FoundLine[],
  { start, seen, tally }: Pass,
): Promise<void> {
  const numbers = lines.flatMap(({ content }) => (content.ok ? [content.line.terms.referenceNo] : []));
  const found = await records.findToReview([...new Set(numbers)]);
  const judged = compareLines(lines, { ledgerId: start.ledgerId, seen, ...found });
  for (const one of judged) {
    tally.add(one.verdict, placeOf(one.line), one.verdict === "foreign" ? undefined : sequenceOf(one.line));
    if (one.verdict !== "agrees" && one.verdict !== "ahead") onLine?.(one);
  }
  await records.recordDifferences(judged.flatMap(({ verdict, line }) => (verdict === "ahead" ? toAhead(line) : [])));
  const there = new Set(judged.flatMap(({ verdict, line }) => (verdict === "agrees" ? numberOf(line) : [])));
  const unwritten = found.known.filter(({ sequence, isWritten }) => sequence !== undefined && !isWritten);
  await records.recordFound(unwritten.map(({ terms }) => terms.referenceNo).filter((number) => there.has(number)));
}

/** What the database has as written, and no file has. */
async function reviewWritten({ records, onPage }: ReviewDeps, { start, seen, tally }: Pass): Promise<void> {
  for (let behind = start.behind; ; ) {
    const page = await records.listWritten(start, behind);
    const last = page.at(-1)?.sequence;
    if (last === undefined) return;
    behind = last;
    const isThere = ({ sequence = 0 }: KnownInstruction) => seen.has(sequence);
    const missed = page.filter((one) => !isThere(one));
    for (const { terms } of missed) tally.add("behind", terms.referenceNo);
    await records.recordDifferences(missed.map(toBehind));
    if (start.wasBehind) await records.forgetFoundAgain(page.filter(isThere).map(({ terms }) => terms.referenceNo));
    await onPage?.();
  }
}

function toAhead({ file, line, text, content }: FoundLine): readonly FoundDifference[] {
  if (!content.ok || content.line.sequence === undefined) return [];
  const { sequence, terms } = content.line;
  return [{ referenceNo: terms.referenceNo, sequence, kind: "ahead", line: text, place: { file, line } }];
}

function toBehind({ terms, validUntil, sequence = 0 }: KnownInstruction): FoundDifference {
  const line = JSON.stringify({ ...terms, validUntil: new Date(validUntil).toISOString(), sequence });
  return { referenceNo: terms.referenceNo, sequence, kind: "behind", line };
}

function numberOf({ content }: FoundLine): readonly string[] {
  return content.ok ? [content.line.terms.referenceNo] : [];
}

function sequenceOf({ content }: FoundLine): number | undefined {
  return content.ok ? content.line.sequence : undefined;
}

type Tally = ReturnType<typeof createTally>;

function createTally() {
  const none = { agrees: 0, repeated: 0, notCarried: 0, torn: 0, unreadable: 0, earlier: 0 };
  const counts: Record<ReviewedKind, number> = { ...none, ahead: 0, behind: 0, edited: 0, foreign: 0 };
  const first: Partial<Record<ReviewedKind, string>> = {};
  let last = 0;
  return {
    counts,
    first,
    sequence: () => last,
    add: (kind: ReviewedKind, place: string, sequence = 0) => {
      counts[kind] += 1;
      first[kind] ??= place;
      last = Math.max(last, sequence);
    },
  };
}
