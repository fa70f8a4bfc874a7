/** Merchants with their payment terms: listed, shown, added, changed, suspended and resumed. */
import { array, boolean, choice, integer, object, optional, orNull, type Static, string } from "@titian/contract";
import {
  type ActWords,
  amount,
  changeMerchant,
  findAccount,
  findMerchant,
  findOpenAct,
  listMerchants,
  type MerchantSummary,
  type QueryDeps,
  type ReferenceDeps,
  registerMerchant,
  setMerchantStatus,
} from "@titian/server/admin";
import { actWords } from "../acts/act-reason.ts";
import { openAct } from "../acts/act-view.ts";
import { ControlError, invalidField, unknownPartner, valueOf } from "../control-error.ts";
import { amountDescription, readAmount } from "../money-text.ts";
import { defineCall } from "../rows/define-call.ts";
import { limit, limitOf, nextOfBefore } from "../rows/pages.ts";

const members = {
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
};
const merchantView = object(members);
const merchantDetailsView = object({ ...members, openAct });
export type MerchantView = Static<typeof merchantView>;

const account = string({ description: "a customer's account, by its number or accountId" });

const settings = {
  payerAccountNo: optional(
    orNull(account, { description: "the account that pays where a call names no other, or null for none" }),
  ),
  defaultHoldAmount: optional(orNull(string(), { description: `${amountDescription}, or null for none` })),
  holdSeconds: optional(integer({ description: "how many seconds a hold lasts: a minute to 90 days" })),
  refundDays: optional(integer({ description: "for how many days a capture may be refunded: 30 to 1825" })),
  customerTokenRequired: optional(boolean()),
  ...actWords,
};
const name = string({ description: "a text of 1 to 100 characters" });

const newMerchant = object({ name, settlementAccountNo: account, ...settings });
const changedMerchant = object({
  name: optional(name),
  settlementAccountNo: optional(account),
  ...settings,
});

const statusView = object({
  partnerId: string(),
  merchantId: string(),
  status: members.status,
  note: optional(string({ description: "that a suspension was made at once, and waits for its approval" })),
  actId: optional(string({ description: "of the act that note is about" })),
});

export interface MerchantCallsDeps extends ReferenceDeps {
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
      const merchants = found.map(showMerchant);
      return { merchants, next: found.length === size ? found.at(-1)?.merchantId : undefined };
    },
  }),
  defineCall({
    name: "merchant show",
    route: "GET /partners/{partnerId}/merchants/{merchantId}",
    role: "viewer",
    does: "A merchant of a partner with its payment terms.",
    answer: merchantDetailsView,
    run: async ({ params }, { queries }: MerchantCallsDeps) => {
      const { partnerId, merchantId } = params;
      return { ...(await find(queries, params)), openAct: await findOpenAct(queries, partnerId, merchantId) };
    },
  }),
  defineCall({
    name: "merchant add",
    route: "PUT /partners/{partnerId}/merchants/{merchantId}",
    role: "operator",
    does: "Registers a merchant of a partner, once another operator has approved that; one that is there already with the same terms stays.",
    body: newMerchant,
    answer: merchantView,
    run: async ({ params, body }, deps: MerchantCallsDeps) => {
      const given = { ...params, name: body.name, ...(await readTerms(deps, body, body.settlementAccountNo)) };
      valueOf(await registerMerchant(deps, given));
      return find(deps.queries, params);
    },
  }),
  defineCall({
    name: "merchant change",
    route: "PATCH /partners/{partnerId}/merchants/{merchantId}",
    role: "operator",
    does: "Changes what is given of a merchant, once another operator has approved that. Payments that were authorized before keep their accounts, amount and time.",
    body: changedMerchant,
    answer: merchantView,
    run: async ({ params, body }, deps: MerchantCallsDeps) => {
      const { partnerId, merchantId } = params;
      const { currency } = await find(deps.queries, params);
      valueOf(await changeMerchant(deps, partnerId, merchantId, await readChange(deps, body, currency)));
      return find(deps.queries, params);
    },
  }),
  defineCall({
    name: "merchant suspend",
    route: "POST /partners/{partnerId}/merchants/{merchantId}/suspend",
    role: "operator",
    does: "Suspends a merchant at once: within 2 s every node rejects new payments to it (404xx08). Captures, voids and refunds of payments that were authorized before go on. Another operator approves that within the day, or ends it.",
    body: object(actWords),
    answer: statusView,
    run: ({ params, body }, deps: MerchantCallsDeps) => setStatus(deps, { ...params, status: "suspended", ...body }),
  }),
  defineCall({
    name: "merchant resume",
    route: "POST /partners/{partnerId}/merchants/{merchantId}/resume",
    role: "operator",
    does: "Lets a suspended merchant get payments again, once another operator has approved that. A suspension that waits for its approval is ended by refusing it.",
    body: object(actWords),
    answer: statusView,
    run: ({ params, body }, deps: MerchantCallsDeps) => setStatus(deps, { ...params, status: "active", ...body }),
  }),
] as const;

interface MerchantParams {
  readonly partnerId: string;
  readonly merchantId: string;
}

const showMerchant = (merchant: MerchantSummary) => ({ ...merchant, holdSeconds: merchant.holdMs / 1_000 });

async function find(queries: QueryDeps, { partnerId, merchantId }: MerchantParams) {
  const merchant = await findMerchant(queries, partnerId, merchantId);
  if (merchant) return showMerchant(merchant);
  if (queries.reference.byPartnerId(partnerId) === undefined) throw unknownPartner(partnerId);
  throw new ControlError(404, "unknownMerchant", `${partnerId} has no merchant ${merchantId}.`, "merchantId");
}

async function setStatus(deps: MerchantCallsDeps, order: Parameters<typeof setMerchantStatus>[1]) {
  const { merchant, note, actId } = valueOf(await setMerchantStatus(deps, order));
  return { partnerId: order.partnerId, merchantId: order.merchantId, status: merchant.status, note, actId };
}

type Change = Static<typeof changedMerchant>;

async function readChange(deps: MerchantCallsDeps, body: Change, currency: string) {
  const { name: named, settlementAccountNo } = body;
  const terms =
    settlementAccountNo === undefined
      ? await readSettings(deps, body, currency)
      : await readTerms(deps, body, settlementAccountNo);
  return { ...(named !== undefined && { name: named }), ...terms };
}

async function readTerms(deps: MerchantCallsDeps, body: Change, settlementAccountNo: string) {
  const { accountNo, currency } = await findNamed(deps, settlementAccountNo, "settlementAccountNo");
  return { settlementAccountNo: accountNo, ...(await readSettings(deps, body, currency)) };
}

/** `currency`: of the settlement account. */
async function readSettings(deps: MerchantCallsDeps, body: Change, currency: string) {
  const { payerAccountNo: payer, defaultHoldAmount: hold, holdSeconds, refundDays, customerTokenRequired } = body;
  const { reason, ticket }: ActWords = body;
  return {
    ...(payer !== undefined && {
      payerAccountNo: payer === null ? null : (await findNamed(deps, payer, "payerAccountNo")).accountNo,
    }),
    ...(hold !== undefined && {
      defaultHoldAmount: hold === null ? null : readAmount(hold, currency, "defaultHoldAmount"),
    }),
    ...(holdSeconds !== undefined && { holdSeconds }),
    ...(refundDays !== undefined && { refundDays }),
    ...(customerTokenRequired !== undefined && { customerTokenRequired }),
    reason,
    ticket,
  };
}

/** An account may be named by its id, as where its number is masked. */
async function findNamed({ queries }: MerchantCallsDeps, named: string, field: string) {
  const found = await findAccount(queries, named.replaceAll("\u0000", ""));
  if (found) return found;
  throw new ControlError(404, "unknownAccount", `There is no account ${named}.`, field);
}
