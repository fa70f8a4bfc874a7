/** Records by what people know of them (docs/guides/finding.md). Bounded by rows and by time, whatever was typed. */
import { readSearchKeys } from "../../admin/search/search-keys.ts";
import { listRejectedCalls, type RejectedCall } from "../../admin/search/rejected-calls.ts";
import { type Holders, nameWords, partiesOf, type Word, wordsOf } from "../../admin/search/words.ts";
import type { Clock } from "../../basics/clock.ts";
import type { Secrets } from "../../basics/secrets.ts";
import { businessDay, dateOf } from "../../ledger/business-day.ts";
import { listAcceptedRequests } from "../../store/reads/accepted-requests.ts";
import { findHolders } from "../../store/reads/accounts.ts";
import type { AcceptedRequest } from "../../store/tables/requests/accepted-requests.ts";
import { findAccounts } from "../money/find-number.ts";
import { describeRequest, type NumberMatch } from "../money/number-match.ts";
import { describeRejectedCall } from "../money/rejection-match.ts";
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
  /** Parts that no record has, with or without the others. */
  readonly unknown: readonly string[];
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

type Candidate = AcceptedRequest | RejectedCall;

export async function findByWords(deps: WordDeps, query: SearchQuery, wanted: Wanted): Promise<FoundByWords> {
  if (query.terms.length === 0) return { matches: [], hasMore: false, unknown: [] };
  const endsAt = deps.clock.monotonic() + timeMaxMs;
  const keys = await readSearchKeys(deps);
  const { records, isCut, counts } = await findRecords(
    deps,
    query.terms.map((term) => probesOf(term, keys)),
  );
  const keyOfMonth = new Map(keys.map(({ month, key }) => [month, key]));
  const matches: NumberMatch[] = [];
  const accountNos = new Set<string>();
  const rejections = new Set<string>();
  let compared = 0;
  for (; compared < Math.min(records.length, comparedMax); compared += page) {
    if (matches.length >= wanted.limit || deps.clock.monotonic() >= endsAt) break;
    const candidates = await readCandidates(deps, records.slice(compared, compared + page), keyOfMonth);
    const holders = await findHolders(deps.pool, candidates.flatMap(partiesOf));
    for (const candidate of candidates) {
      if (matches.length >= wanted.limit) break;
      const match = await compare(deps, candidate, holders, query, wanted);
      if (match === undefined || isCopy(candidate, rejections)) continue;
      matches.push(match);
      for (const accountNo of partiesOf(candidate))
        if (isNameOf(query, holders.get(accountNo))) accountNos.add(accountNo);
    }
  }
  const accounts = await Promise.all([...accountNos].map((accountNo) => findAccounts(deps, accountNo, "holderName")));
  return {
    matches: [...accounts.flat(), ...matches],
    hasMore: isCut || compared < records.length,
    unknown: query.parts.filter((_, at) => counts[at] === 0),
  };
}

/** Newest first. */
async function readCandidates(
  { pool }: WordDeps,
  ids: readonly string[],
  keys: ReadonlyMap<string, Buffer>,
): Promise<readonly Candidate[]> {
  const accepted = await listAcceptedRequests(pool, ids);
  const known = new Map<string, Candidate>(accepted.map((request) => [request.id, request]));
  const others = ids.filter((id) => !known.has(id));
  for (const rejected of await listRejectedCalls(pool, others, keys)) known.set(rejected.id, rejected);
  return ids.flatMap((id) => known.get(id) ?? []);
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
    return {
      records,
      isCut: rarest !== undefined && rarest.records.length >= recordsMax,
      // In the order of the parts.
      counts: found.map((ofTerm) => ofTerm.records.length),
    };
  });
}

/** A hash may be another word's: the record's own words decide. */
async function compare(
  deps: WordDeps,
  candidate: Candidate,
  holders: Holders,
  { terms, day }: SearchQuery,
  { partner }: Wanted,
): Promise<NumberMatch | undefined> {
  if (partner !== undefined && candidate.partner !== partner) return undefined;
  if (day !== undefined && dateOf(businessDay(candidate.at)) !== day) return undefined;
  const words = new Map(wordsOf(candidate, holders).map((word) => [keyOf(word), word]));
  const reasons: NumberMatch["reasons"][number][] = [];
  for (const term of terms) {
    const word = term.map((reading) => words.get(keyOf(reading))).find((known) => known !== undefined);
    if (word === undefined) return undefined;
    reasons.push(word.day === undefined ? { by: word.by } : { by: word.by, day: word.day });
  }
  const match = "call" in candidate ? describeRejectedCall(deps, candidate) : await describeRequest(deps, candidate);
  const [first] = reasons;
  return match && first && { ...match, matchedBy: first.by, reasons };
}

/** True: a newer call of the same number was rejected alike. */
function isCopy(candidate: Candidate, seen: Set<string>): boolean {
  if (!("call" in candidate)) return false;
  const { number = candidate.id, responseCode } = candidate.call;
  const size = seen.size;
  return seen.add(`${number} ${responseCode}`).size === size;
}

/** True: every part is a word of the holder's name. */
function isNameOf({ terms, day }: SearchQuery, name = ""): boolean {
  const words = nameWords(name);
  return (
    day === undefined && terms.every((term) => term.some(({ kind, text }) => kind === "name" && words.includes(text)))
  );
}

function keyOf({ kind, text, day = "" }: Word): string {
  return `${kind} ${day} ${text}`;
}
