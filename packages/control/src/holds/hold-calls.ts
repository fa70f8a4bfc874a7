/** Holds: listed, and shown with their events. */
import { array, boolean, choice, integer, object, optional, orNull, type Static, string } from "@titian/contract";
import {
  amount,
  findDetachedPartition,
  findHold,
  listHoldEvents,
  listNewestHolds,
  listOpenHoldsOfAccount,
  listOpenHoldsOfMerchant,
  type QueryDeps,
  time,
} from "@titian/server/admin";
import { accountView } from "../accounts/account-view.ts";
import { ControlError, invalidField, unknownAccount, unknownPartner } from "../control-error.ts";
import { defineCall } from "../rows/define-call.ts";
import {
  amounts,
  countView,
  goesWith,
  limit,
  limitOf,
  listed,
  listPageOf,
  nextOfBefore,
  pageOf,
} from "../rows/pages.ts";

/** held = captured + voided + expired + remaining. */
export const holdSums = {
  held: amount(),
  captured: amount(),
  voided: amount(),
  expired: amount(),
  remaining: amount({ description: "what may still be captured or voided" }),
  refunded: amount({ description: "of what was captured" }),
};

const states = ["open", "partlyCaptured", "captured", "lapsed", "refunded", "voided", "expired"] as const;
const state = choice(states, { description: `one of ${states.join(", ")}` });

const members = {
  referenceNo: string(),
  partnerReferenceNo: string(),
  merchantId: string(),
  payerAccountNo: string({ personal: "account" }),
  settlementAccountNo: string({ personal: "account" }),
  currency: string(),
  ...holdSums,
  state,
  expiresAt: time(),
};
const holdView = object({ ...members, partnerId: string(), placedAt: time() });
export type HoldView = Static<typeof holdView>;

const holdDetails = object({
  ...members,
  partnerId: string(),
  placedAt: time(),
  subMerchantId: optional(string()),
  externalStoreId: optional(string()),
  payer: optional(accountView),
  settlement: optional(accountView),
  status: string({ description: "latestTransactionStatus" }),
  meaning: string({ description: "of the state, as a sentence" }),
  events: integer({ description: "how many there are" }),
});
export type HoldDetailsView = Static<typeof holdDetails>;

const holdEvent = object({
  sequence: integer({ description: "from 1, in its hold" }),
  kind: choice(["capture", "void", "expiry", "refund"]),
  isOfLastCapture: boolean({ description: "a last capture (65) has released the remaining amount" }),
  amount: amount(),
  at: time(),
  referenceNo: optional(string({ description: "captureNo, voidNo or refundNo; absent: an expiry" })),
  toAccountNo: optional(string({ description: "absent: no money moved", personal: "account" })),
  captureNo: optional(string({ description: "of a refund: of the capture it debits" })),
});
export type HoldEventView = Static<typeof holdEvent>;

export interface HoldCallsDeps {
  readonly queries: QueryDeps;
}

export const holdCalls = [
  defineCall({
    name: "hold list",
    route: "GET /holds",
    role: "viewer",
    does: "Holds, newest first unless order says otherwise, by the amount that was held; with accountNo the open ones on a payer's account, with partnerId and merchantId the open ones of a merchant.",
    query: object({
      ...listed,
      ...amounts,
      state: optional(state),
      accountNo: optional(string()),
      merchantId: optional(string()),
    }),
    answer: object({ holds: array(holdView), next: orNull(string()), count: countView }),
    run: async ({ query }, { queries }: HoldCallsDeps) => {
      const { accountNo, merchantId, ...list } = query;
      if (accountNo !== undefined) {
        goesWith(query, "accountNo", []);
        const found = await listOpenHoldsOfAccount(queries, accountNo, pageOf(query));
        if (!found) throw unknownAccount(accountNo);
        return found;
      }
      if (merchantId === undefined) return listNewestHolds(queries, listPageOf(list, queries.reference));
      goesWith(query, "merchantId", ["partnerId"]);
      const { partnerId } = query;
      if (partnerId === undefined) throw invalidField("merchantId", "merchantId needs the partnerId of its partner.");
      const found = await listOpenHoldsOfMerchant(queries, { partnerId, merchantId }, pageOf(query));
      if (!found) throw unknownPartner(partnerId);
      return found;
    },
  }),
  defineCall({
    name: "hold show",
    route: "GET /holds/{referenceNo}",
    role: "viewer",
    does: "A hold's money by now, by its referenceNo or the captureNo, voidNo or refundNo of one of its events.",
    answer: holdDetails,
    run: ({ params }, deps: HoldCallsDeps) => find(deps, params.referenceNo),
  }),
  defineCall({
    name: "hold events",
    route: "GET /holds/{referenceNo}/events",
    role: "viewer",
    does: "Its events, newest first. `detached` names the detached partition that has them, if one does.",
    query: object({
      limit,
      before: optional(string({ pattern: "^[1-9][0-9]{0,8}$", description: nextOfBefore })),
    }),
    answer: object({
      currency: string(),
      events: array(holdEvent),
      next: orNull(integer()),
      detached: optional(string()),
    }),
    run: async ({ params, query }, deps: HoldCallsDeps) => {
      const { referenceNo, currency, events: count } = await find(deps, params.referenceNo);
      const detached = await findDetachedPartition(deps.queries, referenceNo, "hold_events");
      if (detached !== undefined) return { currency, events: [], next: undefined, detached };
      const before = query.before === undefined ? count + 1 : Number(query.before);
      const events = await listHoldEvents(deps.queries, referenceNo, { before, limit: limitOf(query) });
      const last = events.at(-1)?.sequence ?? 1;
      return { currency, events, next: last > 1 ? last : undefined };
    },
  }),
] as const;

async function find({ queries }: HoldCallsDeps, number: string) {
  const hold = await findHold(queries, number);
  if (hold) return hold;
  const message = `No hold, and no accepted capture, void or refund, has the number ${number}.`;
  throw new ControlError(404, "unknownHold", message, "referenceNo");
}
