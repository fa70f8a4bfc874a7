/** Bulks and their items: listed. */
import { array, integer, object, optional, orNull, type Static, string } from "@titian/contract";
import { amount, countsOf, findBulk, listBulkItems, listBulks, type QueryDeps, time } from "@titian/server/admin";
import { ControlError, invalidField } from "../control-error.ts";
import { defineCall } from "../rows/define-call.ts";
import { limit, limitOf, nextOfBefore, page, pageOf } from "../rows/pages.ts";
import { beneficiaryMembers, flatten } from "../transfers/beneficiary.ts";

/** The four results add up to `items`. */
export const bulkCounts = {
  items: integer(),
  settled: integer(),
  rejected: integer(),
  returned: integer(),
  open: integer(),
};

const bulkView = object({
  bulkId: string(),
  partnerId: string(),
  partnerBulkId: optional(string()),
  payerAccountNo: string(),
  currency: string(),
  amount: amount({ description: "of all items" }),
  fee: amount(),
  ...bulkCounts,
  status: string({ description: "latestTransactionStatus" }),
  acceptedAt: time(),
  endedAt: optional(time({ description: "absent: items are open" })),
});
export type BulkView = Static<typeof bulkView>;

const itemView = object({
  position: integer({ description: "in the request, from 0" }),
  referenceNo: string(),
  partnerReferenceNo: string(),
  ...beneficiaryMembers,
  amount: amount(),
  state: string(),
  responseCode: optional(string({ description: "of a rejection by the rail" })),
});
export type BulkItemView = Static<typeof itemView>;

export interface BulkCallsDeps {
  readonly queries: QueryDeps;
}

export const bulkCalls = [
  defineCall({
    name: "bulk list",
    route: "GET /bulks",
    role: "viewer",
    does: "Bulks, newest first, of one partner with partnerId.",
    query: object({ ...page, partnerId: optional(string()) }),
    answer: object({ bulks: array(bulkView), next: orNull(string()) }),
    run: async ({ query }, { queries }: BulkCallsDeps) => {
      const { partnerId } = query;
      const found = await listBulks(queries, { ...pageOf(query), partnerId, isOpen: false });
      if (!found) throw invalidField("partnerId", "There is no such partner.");
      return { bulks: found.bulks.map((bulk) => ({ ...bulk, ...countsOf(bulk) })), next: found.next };
    },
  }),
  defineCall({
    name: "bulk items",
    route: "GET /bulks/{bulkId}/items",
    role: "viewer",
    does: "Items in the order of the request; `next` is a position.",
    query: object({ limit, after: optional(string({ pattern: "^[0-9]{1,9}$", description: nextOfBefore })) }),
    answer: object({ items: array(itemView), next: orNull(integer()) }),
    run: async ({ params: { bulkId }, query }, { queries }: BulkCallsDeps) => {
      const bulk = await findBulk(queries, bulkId);
      if (bulk?.bulkId !== bulkId) throw new ControlError(404, "unknownBulk", "There is no such bulk.", "bulkId");
      const after = query.after === undefined ? undefined : Number(query.after);
      const { items, next } = await listBulkItems(queries, bulkId, { filter: "all", after, limit: limitOf(query) });
      const shown = items.map(({ beneficiary, rejection, ...item }) => ({
        ...item,
        ...flatten(beneficiary),
        responseCode: rejection?.responseCode,
      }));
      return { items: shown, next };
    },
  }),
] as const;
