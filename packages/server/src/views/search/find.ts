/**
 * One search over what people know of a record. Its numbers are found at once, by the keys of the records themselves;
 * everything else, and a number in another case, by the words that a job makes within two seconds.
 */
import { businessDay } from "../../ledger/business-day.ts";
import { readSearchPosition } from "../../store/tables/search/search-positions.ts";
import { listSearchedIds } from "../../store/tables/search/search-words.ts";
import { timeOf } from "../../basics/ids.ts";
import { findNumber, matchesMax, newestOf, type NumberDeps } from "../money/find-number.ts";
import { findByWords, type WordDeps } from "./find-by-words.ts";
import { readQuery, readWhole } from "./read-query.ts";

export type FindDeps = NumberDeps & WordDeps;

export interface Wanted {
  readonly text: string;
  readonly partnerId?: string | undefined;
}

/** The position of a node that keeps up is six minutes behind, and moves every half minute. */
const positionBehindMs = 10 * 60_000;

/** Newest first, at most 20. Undefined when the partner that is named is unknown. */
export async function find(deps: FindDeps, { text, partnerId }: Wanted) {
  const number = text.trim();
  const byNumber = await findNumber(deps, { number, partnerId });
  if (byNumber === undefined) return undefined;
  // PostgreSQL rejects a text with NUL.
  if (number.includes("\u0000")) return { ...byNumber, hasMore: false, unknownWords: [], missingSince: undefined };
  const partner = partnerId === undefined ? undefined : deps.reference.byPartnerId(partnerId)?.key;
  const query = readQuery(number, businessDay(deps.clock.now()));
  const wanted = { partner, limit: matchesMax };
  const [byWords, ...others] = await Promise.all([
    findByWords(deps, query, wanted),
    ...(/\s/.test(number) ? [findByWords(deps, readWhole(number), wanted)] : []),
  ]);
  const found = [byWords, ...others];
  const matches = [...byNumber.matches, ...found.flatMap((one) => one.matches)];
  const newest = newestOf(matches);
  return {
    matches: newest,
    needsPartner: byNumber.needsPartner,
    hasMore: newest.length >= matchesMax || found.some(({ hasMore }) => hasMore),
    unknownWords: newest.length > 0 || (query.parts.length < 2 && query.day === undefined) ? [] : byWords.unknown,
    missingSince: await readMissingSince(deps),
  };
}

/** From when on there may be records without words, where that is some time ago: they are made again, or no node makes them. */
async function readMissingSince({ pool, clock }: FindDeps): Promise<number | undefined> {
  const { position } = (await readSearchPosition(pool)) ?? {};
  const [next] = position === undefined ? [] : await listSearchedIds(pool, position, 1);
  return next !== undefined && timeOf(next) < clock.real() - positionBehindMs ? timeOf(next) : undefined;
}
