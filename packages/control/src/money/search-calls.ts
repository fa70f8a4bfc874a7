/** Any number, and what it names. */
import { array, boolean, object, optional, type Static, string } from "@titian/contract";
import { findNumber, type NumberDeps, numberMatch } from "@titian/server/admin";
import { invalidField } from "../control-error.ts";
import { defineCall } from "../rows/define-call.ts";

export type Match = Static<typeof numberMatch>;

export interface SearchCallsDeps {
  readonly queries: NumberDeps;
}

export const searchCalls = [
  defineCall({
    name: "search",
    route: "GET /search",
    role: "viewer",
    does: "What a number names: any of a partner's (of a request, capture, void, refund, bulk or item), ours, an external id, an account, a rail's traceNo, a journal. Accounts, then the newest first, 20 at most. Partners' numbers of captures, voids and refunds are found on the newest 1,000 holds, external ids of notifications for two years.",
    query: object({
      number: string({ minLength: 1, maxLength: 64, description: "a number of 1 to 64 characters" }),
      partnerId: optional(string()),
    }),
    answer: object({
      number: string(),
      matches: array(numberMatch),
      needsPartner: boolean({
        description: "over 1,000 partners: numbers that they gave are found only with partnerId",
      }),
    }),
    run: async ({ query: { number: given, partnerId } }, { queries }: SearchCallsDeps) => {
      const number = given.trim();
      const found = await findNumber(queries, { number, partnerId });
      if (!found) throw invalidField("partnerId", "There is no such partner.");
      return { number, ...found };
    },
  }),
] as const;
