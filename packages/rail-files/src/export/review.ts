/**
 * A rail's directory against the database, page by page: each difference is kept for an operator, and what is not written yet
 * is found. Memory holds a page and a bit for each instruction.
 */
import { open } from "node:fs/promises";
import { join } from "node:path";
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
import { type DirectoryFile, listFiles, readPages } from "./read-directory.ts";
import { type Volume, volumeOf } from "../files/volume.ts";
import { createSequenceSet, type SequenceSet } from "./sequence-set.ts";

export type ReviewedKind = LineVerdict | "behind";

export interface Review {
  readonly counts: Readonly<Record<ReviewedKind, number>>;
  /** The first of each kind: its place, or its number where there is none. */
  readonly first: Readonly<Partial<Record<ReviewedKind, string>>>;
  /** True: the rail waits for an operator to open it. */
  readonly isAhead: boolean;
  /** The last that a line of this ledger has; 0: there is none. */
  readonly sequence: number;
  /** The day of the newest file; empty: there is none. */
  readonly newestDay: string;
}

export interface ReviewDeps {
  readonly directory: string;
  readonly records: RailRecords;
  readonly now: Instant;
  /** Reads all files; else those of the last days, and of files before the last line. */
  readonly isWhole: boolean;
  readonly isHolder: boolean;
  /** Called after each file and each page: all of it may take longer than a lease lasts. */
  readonly onProgress?: () => Promise<void>;
  /** Gets each line that neither agrees nor is ahead. */
  readonly onLine?: (line: JudgedLine) => void;
}

const dayMs = 86_400_000;
/** All of so many days is compared by a node; of files before, their last line. */
const reviewedMs = 2 * dayMs;

export async function reviewDirectory(deps: ReviewDeps): Promise<Review> {
  const { directory, records, now, isWhole, isHolder, onProgress } = deps;
  const volume = await volumeOf(directory);
  const files = await listFiles(volume, directory);
  const recent = now - reviewedMs;
  const since = isWhole ? Math.min(recent, beginningOf(files)) : recent;
  const start = await records.startReview({ since, isHolder });
  const tally = createTally();
  const seen = createSequenceSet(start.behind, start.upTo);
  // A file is read wholly from a day before on: its lines may be of the next one.
  const wholeFrom = isWhole ? "" : dateOf(businessDay(since - dayMs));
  for await (const lines of readPages({ volume, directory, onFile: onProgress }, files, wholeFrom)) {
    await reviewPage(deps, lines, { start, seen, tally });
    await onProgress?.();
  }
  await reviewWritten(deps, { start, seen, tally });
  const newestDay = files.reduce((newest, { day }) => (day > newest ? day : newest), "");
  const isAhead = start.isAhead || tally.counts.ahead > 0;
  return { counts: tally.counts, first: tally.first, sequence: tally.sequence(), isAhead, newestDay };
}

/** From when on lines are expected: files before the oldest were archived. */
function beginningOf(files: readonly DirectoryFile[]): Instant {
  const [first] = files.flatMap(({ day }) => (day === "" ? [] : [day])).toSorted();
  // Lines of the day before may stand in the file before.
  return first === undefined ? Infinity : Date.parse(`${first}T00:00:00+07:00`) + dayMs;
}

interface Pass {
  readonly start: ReviewStart;
  readonly seen: SequenceSet;
  readonly tally: Tally;
}

async function reviewPage(
  { directory, records, onLine }: ReviewDeps,
  lines: readonly FoundLine[],
  { start, seen, tally }: Pass,
): Promise<void> {
  const numbers = lines.flatMap(({ content }) => (content.ok ? [content.line.terms.referenceNo] : []));
  const found = await records.findToReview([...new Set(numbers)]);
  const judged = compareLines(lines, { rail: records.rail, ledgerId: start.ledgerId, seen, ...found });
  for (const one of judged) {
    tally.add(one.verdict, placeOf(one.line), one.verdict === "foreign" ? undefined : sequenceOf(one.line));
    if (one.verdict !== "agrees" && one.verdict !== "ahead") onLine?.(one);
  }
  await records.recordDifferences(judged.flatMap(({ verdict, line }) => (verdict === "ahead" ? toAhead(line) : [])));
  const waiting = found.known.filter(({ sequence, isWritten }) => sequence !== undefined && !isWritten);
  const unwritten = new Set(waiting.map(({ terms }) => terms.referenceNo));
  const there = judged.filter(
    ({ verdict, line }) => verdict === "agrees" && numberOf(line).some((one) => unwritten.has(one)),
  );
  // Their writer died before it knew that they are durable.
  for (const file of new Set(there.map(({ line }) => line.file)))
    await makeDurable(await volumeOf(directory), join(directory, file));
  await records.recordFound(there.flatMap(({ line }) => numberOf(line)));
}

/** Reviews instructions that the database has as written, and no file has. */
async function reviewWritten({ records, onProgress }: ReviewDeps, { start, seen, tally }: Pass): Promise<void> {
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
    await onProgress?.();
  }
}

function makeDurable(volume: Volume, path: string): Promise<void> {
  return volume.run(async () => {
    await using file = await open(path, "r");
    await file.datasync();
  });
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
  const none = { agrees: 0, repeated: 0, decided: 0, torn: 0, unreadable: 0, earlier: 0 };
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
