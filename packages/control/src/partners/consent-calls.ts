/** Consents of customers to partners (service 74): listed, and taken back at once. */
import { array, choice, integer, object, optional, orNull, string } from "@titian/contract";
import {
  findAccount,
  listConsents,
  type GrantedAccounts,
  type QueryDeps,
  type ReferenceDeps,
  revokeGrants,
  time,
} from "@titian/server/admin";
import { actWords } from "../acts/act-reason.ts";
import { ControlError, unknownPartner, valueOf } from "../control-error.ts";
import { defineCall } from "../rows/define-call.ts";
import { limit, numberOfBefore, pageOf } from "../rows/pages.ts";

const account = string({ description: "a customer's account, by its number or accountId" });
const partner = string({ description: "the X-PARTNER-ID of a partner" });

const consentView = object({
  consentNo: string(),
  partnerId: string(),
  accountNo: string({ personal: "account" }),
  state: choice(["code", "active", "expired"], { description: "code: the partner has not presented its code yet" }),
  consentedAt: time({ description: "real time" }),
  expiresAt: time({ description: "end of its code, or of the refresh token that is good next" }),
  tokenCount: integer({ description: "how often the partner has had tokens by it" }),
  tokensUntil: optional(time({ description: "until when its newest access token is good; left out: none is" })),
});

const revocationView = object({
  actId: string(),
  partnerId: string(),
  revokedBy: string({ description: "issuer and subject of the operator" }),
  revokedAt: time({ description: "real time" }),
  reason: string({ personal: "reason" }),
});

export interface ConsentCallsDeps extends ReferenceDeps, GrantedAccounts {
  readonly queries: QueryDeps;
}

export const consentCalls = [
  defineCall({
    name: "consent list",
    route: "GET /consents",
    role: "support",
    does: "Consents of customers that are not revoked, newest first: all, of an account or to a partner. Each is for the one account, and for no partner but its own. Of one account also the newest 100 revocations.",
    query: object({
      limit,
      before: optional(numberOfBefore),
      accountNo: optional(account),
      partnerId: optional(partner),
    }),
    answer: object({
      consents: array(consentView),
      revocations: optional(array(revocationView)),
      next: orNull(string()),
    }),
    run: async ({ query }, deps: ConsentCallsDeps) => {
      const { queries } = deps;
      const { accountNo, partnerId } = query;
      const named = accountNo === undefined ? undefined : await find(deps, accountNo);
      const found = await listConsents(queries, { ...pageOf(query), partnerId, account: named });
      if (!found) throw unknownPartner(partnerId ?? "");
      return found;
    },
  }),
  defineCall({
    name: "consent revoke",
    route: "POST /consents/revoke",
    role: "operator",
    does: "Takes a customer's consents to a partner for an account back at once: within 2 s no code and no token of them is good on any node. Another operator approves that within the day; a refusal does not give them back.",
    body: object({ partnerId: partner, accountNo: account, ...actWords }),
    answer: object({
      partnerId: string(),
      accountNo: string({ personal: "account" }),
      note: optional(string({ description: "that it waits for its approval" })),
    }),
    run: async ({ body }, deps: ConsentCallsDeps) => {
      const { accountNo } = await find(deps, body.accountNo);
      const { note } = valueOf(await revokeGrants(deps, { ...body, accountNo }));
      return { partnerId: body.partnerId, accountNo, note };
    },
  }),
] as const;

/** An account may be named by its id, as where its number is masked. */
async function find({ queries, accountsOf }: ConsentCallsDeps, named: string) {
  const text = named.replaceAll("\u0000", "");
  const found = await findAccount({ pool: accountsOf?.(text) ?? queries.pool }, text);
  if (found) return found;
  throw new ControlError(404, "unknownAccount", `There is no account ${named}.`, "accountNo");
}
