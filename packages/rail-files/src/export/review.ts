/** What who takes a rail's lease looks at first: whether the directory is the database's, and what is not written yet. */
import { businessDay, type Clock, dateOf, type ExportLease, type RailRecords } from "@titian/server/rails";
import { compareDirectory, type Comparison, reasonToStop } from "./compare.ts";
import { readDirectory } from "./read-directory.ts";

export interface Review {
  readonly comparison: Comparison;
  /** Why nothing must be exported; undefined: it may. */
  readonly stopsBecause: string | undefined;
  /** The day of the file to write to at a business time: none before the newest that is there. */
  dayOf(now: number): string;
}

interface ReviewDeps {
  readonly directory: string;
  readonly clock: Pick<Clock, "now" | "real">;
  readonly lease: ExportLease;
  readonly records: Pick<RailRecords, "origin">;
  /** Called again and again: reading may take longer than the lease lasts. */
  readonly onProgress: () => Promise<void>;
}

/** All of so many days is compared; of files before, their last line. */
const comparedDays = 2;
const dayMs = 86_400_000;
const numbersAtOnce = 5_000;

export async function reviewDirectory({ directory, clock, lease, records, onProgress }: ReviewDeps): Promise<Review> {
  const { ledgerId } = await records.origin();
  const dayOf = (now: number) => dateOf(businessDay(now));
  // A file is read wholly from a day before on: its lines may be of the next one.
  const from = clock.now() - comparedDays * dayMs;
  const { lines, newestDay } = await readDirectory(directory, dayOf(from - dayMs), onProgress);
  const numbers = [...new Set(lines.flatMap(({ content }) => ("terms" in content ? [content.terms.referenceNo] : [])))];
  const known = new Map<string, Awaited<ReturnType<ExportLease["listToCompare"]>>[number]>();
  for (let at = 0; at === 0 || at < numbers.length; at += numbersAtOnce) {
    const wanted = { numbers: numbers.slice(at, at + numbersAtOnce), writtenSince: at === 0 ? from : undefined };
    for (const one of await lease.listToCompare(wanted)) known.set(one.terms.referenceNo, one);
    await onProgress();
  }
  const { releasedSequence } = lease;
  const comparison = compareDirectory({ ledgerId, releasedSequence, lines, known: [...known.values()] });
  const stopsBecause = reasonToStop(comparison);
  if (stopsBecause === undefined) {
    const unwritten = [...known.values()].filter(({ isWritten }) => !isWritten).map(({ terms }) => terms.referenceNo);
    await lease.recordWritten(unwritten.filter((number) => comparison.found.has(number)));
    await lease.freeUnwritten();
  }
  return { comparison, stopsBecause, dayOf: (now) => (dayOf(now) > newestDay ? dayOf(now) : newestDay) };
}
