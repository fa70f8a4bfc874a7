/** Merchants with their payment terms: listed. */
import { array, boolean, choice, integer, object, optional, orNull, type Static, string } from "@titian/contract";
import { amount, listMerchants, type QueryDeps } from "@titian/server/admin";
import { invalidField, unknownPartner } from "../control-error.ts";
import { defineCall } from "../rows/define-call.ts";
import { limit, limitOf, nextOfBefore } from "../rows/pages.ts";

const merchantView = object({
  merchantId: string(),
  partnerId: string(),
  name: string(),
  status: choice(["active", "suspended"]),
  settlementAccountNo: optional(string({ personal: "account" })),
  currency: string({ description: "of the settlement account" }),
  payerAccountNo: optional(string({ description: "pays where a call names no other", personal: "account" })),
  defaultHoldAmount: optional(amount()),
  holdSeconds: integer({ description: "how long a hold lasts" }),
  refundDays: integer({ description: "for how long a capture may be refunded" }),
  customerTokenRequired: boolean(),
});
export type MerchantView = Static<typeof merchantView>;

export interface MerchantCallsDeps {
  readonly queries: QueryDeps;
}

export const merchantCalls = [
  defineCall({
    name: "merchant list",
    route: "GET /merchants",
    role: "viewer",
    does: "Merchants by partner and id, of one partner with partnerId. `next` is a merchantId, for the same partner.",
    query: object({
      limit,
      partnerId: optional(string()),
      after: optional(string({ description: nextOfBefore })),
    }),
    answer: object({ merchants: array(merchantView), next: orNull(string()) }),
    run: async ({ query }, { queries }: MerchantCallsDeps) => {
      const [{ partnerId, after }, size] = [query, limitOf(query)];
      if (after !== undefined && partnerId === undefined) {
        throw invalidField("after", "after needs partnerId: a merchantId is unique in its partner.");
      }
      const found = await listMerchants(queries, { partnerId, after, limit: size });
      if (!found) throw unknownPartner(partnerId ?? "");
      const merchants = found.map((merchant) => ({ ...merchant, holdSeconds: merchant.holdMs / 1_000 }));
      return { merchants, next: found.length === size ? found.at(-1)?.merchantId : undefined };
    },
  }),
] as const;
