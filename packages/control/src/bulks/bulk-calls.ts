/** Bulks and their items: listed and shown. */
import { array, choice, integer, object, optional, orNull, type Static, string } from "@titian/contract";
import { amount, countsOf, findBulk, listBulkItems, listBulks, type QueryDeps, time } from "@titian/server/admin";
import { accountView } from "../accounts/account-view.ts";
import { ControlError, invalidField } from "../control-error.ts";
import { defineCall } from "../rows/define-call.ts";
import { amounts, countView, flag, limit, limitOf, listed, listPageOf, nextOfBefore } from "../rows/pages.ts";
import { beneficiaryMembers, flatten } from "../transfers/beneficiary.ts";
import { inquiryMembers, rejectionView } from "../transfers/transfer-details.ts";

/** The four results add up to `items`. */
export const bulkCounts = {
  items: integer(),
  settled: integer(),
  rejected: integer(),
  returned: integer(),
  open: integer(),
};

const bulkMembers = {
  bulkId: string(),
  partnerId: string(),
  partnerBulkId: optional(string()),
  payerAccountNo: string({ personal: "account" }),
  currency: string(),
  amount: amount({ description: "of all items" }),
  fee: amount(),
  ...bulkCounts,
  status: string({ description: "latestTransactionStatus" }),
  acceptedAt: time(),
  endedAt: optional(time({ description: "absent: items are open" })),
};
const bulkView = object(bulkMembers);
export type BulkView = Static<typeof bulkView>;

const bulkDetails = object({
  ...bulkMembers,
  externalId: string(),
  customerReference: string({ personal: "text" }),
  feeType: optional(string({ description: "absent: OUR" })),
  remark: optional(string({ personal: "text" })),
  payer: optional(accountView),
  debited: amount({ description: "of the payer" }),
  description: string({ description: "of the status, as a sentence" }),
  states: array(
    object({
      state: string(),
      count: integer(),
      unsubmittedCount: integer({ description: "those that wait for their turn" }),
      sentAmount: amount(),
      fee: amount(),
    }),
    { description: "of its items" },
  ),
  notification: optional(object({ status: string(), at: time() }, { description: "21; absent: items are open" })),
});
export type BulkDetailsView = Static<typeof bulkDetails>;

const itemView = object({
  position: integer({ description: "in the request, from 0" }),
  referenceNo: string(),
  partnerReferenceNo: string(),
  ...beneficiaryMembers,
  amount: amount(),
  state: string(),
  responseCode: optional(string({ description: "of a rejection by the rail" })),
  responseMessage: optional(string()),
  rejection: optional(rejectionView),
  ...inquiryMembers,
});
export type BulkItemView = Static<typeof itemView>;

const itemFilters = [
  "all",
  "unsettled",
  "open",
  "queued",
  "submitted",
  "pending",
  "settled",
  "rejected",
  "returned",
] as const;
export type BulkItemFilter = (typeof itemFilters)[number];

export interface BulkCallsDeps {
  readonly queries: QueryDeps;
}

export const bulkCalls = [
  defineCall({
    name: "bulk list",
    route: "GET /bulks",
    role: "viewer",
    does: "Bulks, newest first unless order says otherwise; with open those whose items do not all have a result.",
    query: object({ ...listed, ...amounts, open: optional(flag) }),
    answer: object({ bulks: array(bulkView), next: orNull(string()), count: countView }),
    run: async ({ query }, { queries }: BulkCallsDeps) => {
      const { open, ...list } = query;
      const found = await listBulks(queries, { ...listPageOf(list, queries.reference), isOpen: open === "true" });
      if (!found) throw invalidField("partnerId", `There is no partner ${list.partnerId}.`);
      return { ...found, bulks: found.bulks.map((bulk) => ({ ...bulk, ...countsOf(bulk) })) };
    },
  }),
  defineCall({
    name: "bulk show",
    route: "GET /bulks/{bulkId}",
    role: "viewer",
    does: "A bulk with its sums and its items by state, by its bulkId or the referenceNo of an item.",
    answer: bulkDetails,
    run: async ({ params: { bulkId } }, { queries }: BulkCallsDeps) => {
      const bulk = await findBulk(queries, bulkId);
      if (bulk) return { ...bulk, ...countsOf(bulk), debited: bulk.postings[0]?.amount ?? 0n };
      throw unknownBulk(`No bulk transfer has the number ${bulkId}, nor has an item of one.`);
    },
  }),
  defineCall({
    name: "bulk items",
    route: "GET /bulks/{bulkId}/items",
    role: "viewer",
    does: "Items in the order of the request; `next` is a position. With state those in it; `unsettled`: neither settled nor waiting for their turn; `open`: without a result.",
    query: object({
      limit,
      after: optional(string({ pattern: "^[0-9]{1,9}$", description: nextOfBefore })),
      state: optional(choice(itemFilters, { description: `one of ${itemFilters.join(", ")}` })),
    }),
    answer: object({ items: array(itemView), next: orNull(integer()) }),
    run: async ({ params: { bulkId }, query }, { queries }: BulkCallsDeps) => {
      const bulk = await findBulk(queries, bulkId);
      if (bulk?.bulkId !== bulkId) throw unknownBulk("There is no such bulk.");
      const after = query.after === undefined ? undefined : Number(query.after);
      const { state: filter = "all" } = query;
      const { items, next } = await listBulkItems(queries, bulkId, { filter, after, limit: limitOf(query) });
      const shown = items.map(({ beneficiary, ...item }) => ({
        ...item,
        ...flatten(beneficiary),
        responseCode: item.rejection?.responseCode,
        responseMessage: item.rejection?.responseMessage,
      }));
      return { items: shown, next };
    },
  }),
] as const;

function unknownBulk(message: string): ControlError {
  return new ControlError(404, "unknownBulk", message, "bulkId");
}
