/** Any number, and what it names. */
import { array, boolean, choice, object, optional, type Static, string } from "@titian/contract";
import { findNumber, type NumberDeps } from "@titian/server/admin";
import { invalidField } from "../control-error.ts";
import { defineCall } from "../rows/define-call.ts";
import { amount, time } from "../rows/write-answer.ts";

const match = object({
  kind: choice(["payment", "transfer", "paymentRequest", "bulk", "bulkItem", "account", "notification", "rejection"]),
  referenceNo: optional(string({ description: "for the timeline; of a notification, of what it is about" })),
  accountNo: optional(string({ description: "of an account, and else of the payer" })),
  partnerId: optional(string({ description: "absent for an account" })),
  matchedBy: choice([
    "referenceNo",
    "captureNo",
    "voidNo",
    "refundNo",
    "bulkId",
    "journal",
    "traceNo",
    "partnerReferenceNo",
    "partnerCaptureNo",
    "partnerVoidNo",
    "partnerRefundNo",
    "partnerBulkId",
    "externalId",
    "notificationExternalId",
    "accountNo",
  ]),
  serviceCode: optional(string({ description: "two digits: of the request, of the notification" })),
  status: optional(string({ description: "latestTransactionStatus; of a notification the one it reports" })),
  state: optional(string({ description: "of an account its status, of a notification its delivery" })),
  amount: optional(amount()),
  currency: optional(string()),
  name: optional(string({ description: "of an account: its holder; else the beneficiary's or merchant's" })),
  at: optional(time()),
  responseCode: optional(string({ description: "of a rejection" })),
  responseMessage: optional(string()),
});
export type Match = Static<typeof match>;

export interface SearchCallsDeps {
  readonly queries: NumberDeps;
}

export const searchCalls = [
  defineCall({
    name: "search",
    method: "GET",
    path: "/search",
    access: "read",
    role: "viewer",
    does: "What a number names: any of a partner's (of a request, capture, void, refund, bulk or item), ours, an external id, an account, a rail's traceNo, a journal. Accounts, then the newest first, 20 at most. Partners' numbers of captures, voids and refunds are found on the newest 1,000 holds, external ids of notifications for two years.",
    query: object({
      number: string({ minLength: 1, maxLength: 64, description: "a number of 1 to 64 characters" }),
      partnerId: optional(string()),
    }),
    answer: object({
      number: string(),
      matches: array(match),
      needsPartner: boolean({
        description: "over 1,000 partners: numbers that they gave are found only with partnerId",
      }),
    }),
    run: async ({ query: { number: given, partnerId } }, { queries }: SearchCallsDeps) => {
      const number = given.trim();
      const found = await findNumber(queries, { number, partnerId });
      if (!found) throw invalidField("partnerId", "There is no such partner.");
      const matches = found.matches.map(({ service, rejection, ...named }) => ({
        ...named,
        serviceCode: service?.toString(),
        amount: named.currency === undefined ? undefined : named.amount,
        responseCode: rejection?.responseCode,
        responseMessage: rejection?.responseMessage,
      }));
      return { number, matches, needsPartner: found.needsPartner };
    },
  }),
] as const;
