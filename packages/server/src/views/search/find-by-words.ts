/** Records by what people know of them (docs/guides/finding.md). Bounded by rows and by time, whatever was typed. */
import { readSearchKeys } from "../../admin/search/search-keys.ts";
import { type Word, wordsOf } from "../../admin/search/words.ts";
import type { Clock } from "../../basics/clock.ts";
import type { Secrets } from "../../basics/secrets.ts";
import { businessDay, dateOf } from "../../ledger/business-day.ts";
import { listAcceptedRequests } from "../../store/reads/accepted-requests.ts";
import type { AcceptedRequest } from "../../store/tables/requests/accepted-requests.ts";
import { describeRequest, type NumberMatch } from "../money/number-match.ts";
import type { QueryDeps } from "../query-deps.ts";
import type { SearchQuery } from "./read-query.ts";
import { filterByWords, inOrderOfIndexes, listRecordsOfWords, type Probe, probesOf } from "./records-of-words.ts";

export interface WordDeps extends QueryDeps {
  readonly clock: Pick<Clock, "now" | "real" | "monotonic">;
  readonly secrets: Secrets;
}

export interface FoundByWords {
  readonly matches: readonly NumberMatch[];
  /** True: there may be more than what was looked through. */
  readonly hasMore: boolean;
}

/** Records of each part that are looked through, and of those that have all parts. */
const recordsMax = 5_000;
const comparedMax = 1_000;
const page = 100;
const timeMaxMs = 2_000;

interface Wanted {
  /** Internal id. */
  readonly partner: string | undefined;
  readonly limit: number;
}

export async function findByWords(deps: WordDeps, query: SearchQuery, wanted: Wanted): Promise<FoundByWords> {
  if (query.terms.length === 0) return { matches: [], hasMore: false };
  const endsAt = deps.clock.monotonic() + timeMaxMs;
  const keys = await readSearchKeys(deps);
  const { records, isCut } = await findRecords(
    deps,
    query.terms.map((term) => probesOf(term, keys)),
  );
  const matches: NumberMatch[] = [];
  let compared = 0;
  for (; compared < Math.min(records.length, comparedMax); compared += page) {
    if (matches.length >= wanted.limit || deps.clock.monotonic() >= endsAt) break;
    const requests = (await listAcceptedRequests(deps.pool, records.slice(compared, compared + page))).toReversed();
    for (const request of requests) {
      if (matches.length >= wanted.limit) break;
      matches.push(...(await compare(deps, request, query, wanted)));
    }
  }
  return { matches, hasMore: isCut || compared < records.length };
}

/** Records that have every part, newest first; cut: of no part all were read. */
function findRecords({ pool }: WordDeps, terms: readonly (readonly Probe[])[]) {
  return inOrderOfIndexes(pool, async (client) => {
    const found: { readonly probes: readonly Probe[]; readonly records: readonly string[] }[] = [];
    for (const probes of terms) found.push({ probes, records: await listRecordsOfWords(client, probes, recordsMax) });
    const [rarest, ...others] = found.toSorted((a, b) => a.records.length - b.records.length);
    let records = rarest?.records ?? [];
    for (const { probes, records: ofTerm } of others) {
      if (ofTerm.length < recordsMax) {
        const known = new Set(ofTerm);
        records = records.filter((id) => known.has(id));
      } else if (records.length > 0) records = await filterByWords(client, records, probes);
    }
    return { records, isCut: rarest !== undefined && rarest.records.length >= recordsMax };
  });
}

/** A hash may be another word's: the record's own words decide. */
async function compare(
  deps: WordDeps,
  request: AcceptedRequest,
  { terms, day }: SearchQuery,
  { partner }: Wanted,
): Promise<readonly NumberMatch[]> {
  if (partner !== undefined && request.partner !== partner) return [];
  if (day !== undefined && dateOf(businessDay(request.at)) !== day) return [];
  const words = new Map(wordsOf(request).map((word) => [keyOf(word), word]));
  const reasons: NumberMatch["reasons"][number][] = [];
  for (const term of terms) {
    const word = term.map((reading) => words.get(keyOf(reading))).find((known) => known !== undefined);
    if (word === undefined) return [];
    reasons.push(word.day === undefined ? { by: word.by } : { by: word.by, day: word.day });
  }
  const match = await describeRequest(deps, request);
  const [first] = reasons;
  return match && first ? [{ ...match, matchedBy: first.by, reasons }] : [];
}

function keyOf({ kind, text, day = "" }: Word): string {
  return `${kind} ${day} ${text}`;
}
