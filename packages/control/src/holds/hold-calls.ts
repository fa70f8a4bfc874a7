/** Holds: listed and shown. */
import { array, choice, object, orNull, type Static, string } from "@titian/contract";
import { amount, findHoldSummary, listNewestHolds, type QueryDeps, time } from "@titian/server/admin";
import { ControlError } from "../control-error.ts";
import { defineCall } from "../rows/define-call.ts";
import { page, pageOf } from "../rows/pages.ts";

/** held = captured + voided + expired + remaining. */
export const holdSums = {
  held: amount(),
  captured: amount(),
  voided: amount(),
  expired: amount(),
  remaining: amount({ description: "what may still be captured or voided" }),
  refunded: amount({ description: "of what was captured" }),
};

const members = {
  referenceNo: string(),
  partnerReferenceNo: string(),
  merchantId: string(),
  payerAccountNo: string(),
  settlementAccountNo: string(),
  currency: string(),
  ...holdSums,
  state: choice(["open", "partlyCaptured", "captured", "lapsed", "refunded", "voided", "expired"]),
  expiresAt: time(),
};
const holdView = object({ ...members, partnerId: string(), placedAt: time() });
export type HoldView = Static<typeof holdView>;

export interface HoldCallsDeps {
  readonly queries: QueryDeps;
}

export const holdCalls = [
  defineCall({
    name: "hold list",
    route: "GET /holds",
    role: "viewer",
    does: "All holds, newest first.",
    query: object(page),
    answer: object({ holds: array(holdView), next: orNull(string()) }),
    run: ({ query }, { queries }: HoldCallsDeps) => listNewestHolds(queries, pageOf(query)),
  }),
  defineCall({
    name: "hold show",
    route: "GET /holds/{referenceNo}",
    role: "viewer",
    does: "A hold's money by now.",
    answer: object(members),
    run: async ({ params }, { queries }: HoldCallsDeps) => {
      const hold = await findHoldSummary(queries, params.referenceNo);
      if (hold) return hold;
      throw new ControlError(404, "unknownHold", "There is no hold of this reference number.", "referenceNo");
    },
  }),
] as const;
