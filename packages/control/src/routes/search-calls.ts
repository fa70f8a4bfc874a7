/** Any number, and what it names. */
import { formatTimestamp, object, optional, string } from "@titian/contract";
import type { FastifyInstance } from "fastify";
import { findNumber, type MatchedBy, type NumberDeps, type NumberMatch } from "@titian/server/admin";
import type { Match, SearchAnswer } from "../api-types.ts";
import { invalidField } from "../control-error.ts";
import { writeAmount } from "../money-text.ts";
import { readQuery } from "../read-input.ts";

const Query = object({
  number: string({ minLength: 1, maxLength: 64, description: "a number of 1 to 64 characters" }),
  partnerId: optional(string()),
});

export function serveSearchCalls(app: FastifyInstance, queries: NumberDeps): void {
  app.get("/search", async ({ query }): Promise<SearchAnswer> => {
    const { number: given, partnerId } = readQuery(Query, query);
    const number = given.trim();
    const found = await findNumber(queries, { number, partnerId });
    if (!found) throw invalidField("partnerId", "There is no such partner.");
    return { number, matches: found.matches.map(showMatch), needsPartner: found.needsPartner };
  });
}

function showMatch(match: NumberMatch<MatchedBy>): Match {
  const { kind, matchedBy, referenceNo, accountNo, partnerId, service, status, state, currency, name, at } = match;
  return {
    kind,
    matchedBy,
    referenceNo,
    accountNo,
    partnerId,
    serviceCode: service?.toString(),
    status,
    state,
    ...(match.amount !== undefined && currency !== undefined && { amount: writeAmount(match.amount, currency) }),
    currency,
    name,
    at: at === undefined ? undefined : formatTimestamp(at),
    responseCode: match.rejection?.responseCode,
    responseMessage: match.rejection?.responseMessage,
  };
}
