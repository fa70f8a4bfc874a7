/** Records by what people know of them. */
import { array, boolean, object, operations, optional, type Static, string } from "@titian/contract";
import { find, findCall, type FindDeps, type Found, numberMatch, time } from "@titian/server/admin";
import type { CallRecord, RecordedCall } from "../calls/record-calls.ts";
import { invalidField } from "../control-error.ts";
import { defineCall } from "../rows/define-call.ts";

export type Match = Static<typeof numberMatch>;

export interface SearchCallsDeps {
  readonly queries: FindDeps;
  /** Calls that this process remembers; absent where it serves none. */
  readonly calls?: { readonly record: Pick<CallRecord, "find"> };
}

const lengthMax = 200;

export const searchCalls = [
  defineCall({
    name: "search",
    route: "GET /search",
    role: "viewer",
    does: "What people know names: any number in any case (a partner's of a request, capture, void, refund, bulk or item, ours, an external id, a rail's traceNo, a journal), an amount with its day (250000 2026-11-25; without a day, of the last 31), an account of ours or at another bank, words of the beneficiary's or payer's name, which the request gives or the account of ours has. A record has every part of the text. Accounts, then the newest first, 20 at most. Numbers are found at once, in another case and all else within two seconds of the commit. Rejected requests are found by the same, their external ids as they were given; external ids of notifications for two years. An X-CORRELATION-ID finds its call, among the newest of this node and those that were kept, and what it touched.",
    query: object({
      number: string({
        minLength: 1,
        maxLength: lengthMax,
        description: `a number or other words, of 1 to ${lengthMax} characters`,
      }),
      partnerId: optional(string()),
    }),
    answer: object({
      number: string(),
      matches: array(numberMatch),
      needsPartner: boolean({
        description:
          "over 1,000 partners: external ids of rejected requests, and numbers of those whose call was not kept, are found only with partnerId",
      }),
      unknownWords: array(string(), {
        description: "where a text of several words found nothing: those of them that no record has",
      }),
      hasMore: boolean({ description: "there may be more than these: more words find fewer" }),
      missingSince: optional(
        time({
          description:
            "only while words are being made that are late: records from then on (real time) may have none yet",
        }),
      ),
    }),
    join: joinMatches,
    run: async ({ query: { number: given, partnerId } }, { queries, calls }: SearchCallsDeps) => {
      const number = given.trim();
      const found =
        (await findByCorrelationId(queries, number, calls)) ?? (await find(queries, { text: number, partnerId }));
      if (!found) throw invalidField("partnerId", "There is no such partner.");
      return { number, ...found };
    },
  }),
] as const;

interface Matches {
  readonly number: string;
  readonly matches: readonly Found<Match>[];
  readonly needsPartner: boolean;
  readonly unknownWords: readonly string[];
  readonly hasMore: boolean;
  readonly missingSince?: number | undefined;
}

/** Accounts, then the newest first, as each cell has them; a call behind what it touched. A word is unknown where no cell knows it. */
function joinMatches(answers: readonly Matches[]): Matches {
  // A call is remembered by the node, or kept in home, and found in each: whose it is says the cell of what it touched.
  const all = answers.flatMap(({ matches }) => matches).toSorted((one, other) => knows(other) - knows(one));
  const once = all.filter(
    (one, at) => one.kind !== "call" || at === all.findIndex((other) => other.correlationId === one.correlationId),
  );
  const [first, ...others] = answers;
  if (first === undefined) throw new Error("No cell has answered.");
  const ofKind = (wanted: Match["kind"]) => once.filter(({ kind }) => kind === wanted);
  const records = once
    .filter(({ kind }) => kind !== "account" && kind !== "call")
    .toSorted((one, other) => timeOf(other) - timeOf(one));
  const since = answers.flatMap(({ missingSince }) => missingSince ?? []);
  return {
    number: first.number,
    matches: [...ofKind("account"), ...records, ...ofKind("call")].slice(0, matchesMax),
    needsPartner: answers.some(({ needsPartner }) => needsPartner),
    unknownWords:
      once.length > 0
        ? []
        : first.unknownWords.filter((word) => others.every((one) => one.unknownWords.includes(word))),
    hasMore: once.length > matchesMax || answers.some(({ hasMore }) => hasMore),
    missingSince: since.length === 0 ? undefined : Math.min(...since),
  };
}

const matchesMax = 20;
const knows = ({ partnerId }: Found<Match>): number => Number(partnerId !== "");
const timeOf = (match: Found<Match>): number => ("at" in match && typeof match.at === "number" ? match.at : 0);

const nothingMore = { needsPartner: false, hasMore: false, unknownWords: [] };
const byCorrelationId = { matchedBy: "correlationId", reasons: [{ by: "correlationId" }] } as const;

/** The call, remembered or kept, and what it touched; undefined: the text is no id of one. */
async function findByCorrelationId(queries: FindDeps, text: string, calls: SearchCallsDeps["calls"]) {
  const [remembered, kept] = [calls?.record.find(text.toLowerCase()), await findCall(queries, text)];
  if (remembered !== undefined && kept?.record === undefined) return findOfCall(queries, remembered);
  if (kept === undefined) return undefined;
  const { record, ...call } = kept;
  const itself: Found<Match> = { kind: "call", ...byCorrelationId, ...call };
  const records = record === undefined ? [] : [{ ...record, ...byCorrelationId }];
  return { ...nothingMore, matches: [...records, itself] };
}

/** The call, and what its external id names: it was not kept, or not yet. */
async function findOfCall(queries: FindDeps, call: RecordedCall) {
  const { id, partnerId, operation, businessTime, responseCode, isAuthenticated } = call;
  const itself: Found<Match> = {
    kind: "call",
    ...byCorrelationId,
    correlationId: id,
    partnerId,
    serviceCode: operation && operations[operation].code,
    responseCode: responseCode === "" ? undefined : responseCode,
    at: businessTime,
  };
  const externalId = headerOf(call, "x-external-id");
  // A stranger may claim any external id.
  const found = externalId !== undefined && isAuthenticated && (await find(queries, { text: externalId, partnerId }));
  if (!found) return { ...nothingMore, matches: [itself] };
  const records = found.matches.filter(({ matchedBy }) => matchedBy === "externalId");
  return { ...found, matches: [...records.map((match) => ({ ...match, ...byCorrelationId })), itself] };
}

function headerOf({ rawHeaders }: RecordedCall, wanted: string): string | undefined {
  const at = rawHeaders.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === wanted);
  return at === -1 ? undefined : rawHeaders[at + 1];
}
