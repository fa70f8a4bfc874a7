/** Records by what people know of them. */
import { array, boolean, object, optional, type Static, string } from "@titian/contract";
import { find, type FindDeps, numberMatch, time } from "@titian/server/admin";
import { invalidField } from "../control-error.ts";
import { defineCall } from "../rows/define-call.ts";

export type Match = Static<typeof numberMatch>;

export interface SearchCallsDeps {
  readonly queries: FindDeps;
}

const lengthMax = 200;

export const searchCalls = [
  defineCall({
    name: "search",
    route: "GET /search",
    role: "viewer",
    does: "What people know names: any number in any case (a partner's of a request, capture, void, refund, bulk or item, ours, an external id, a rail's traceNo, a journal), an amount with its day (250000 2026-11-25; without a day, of the last 31), an account of ours or at another bank, words of a beneficiary's or payer's name. A record has every part of the text. Accounts, then the newest first, 20 at most. Numbers are found at once, in another case and all else within two seconds of the commit. Numbers of rejected requests are found as they were given, external ids of notifications for two years.",
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
        description: "over 1,000 partners: numbers of rejected requests are found only with partnerId",
      }),
      hasMore: boolean({ description: "there may be more than these: more words find fewer" }),
      missingSince: optional(
        time({
          description:
            "only while words are being made that are late: records from then on (real time) may have none yet",
        }),
      ),
    }),
    run: async ({ query: { number: given, partnerId } }, { queries }: SearchCallsDeps) => {
      const number = given.trim();
      const found = await find(queries, { text: number, partnerId });
      if (!found) throw invalidField("partnerId", "There is no such partner.");
      return { number, ...found };
    },
  }),
] as const;
