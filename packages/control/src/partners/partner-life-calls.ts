/** A partner's life: onboarded, suspended, resumed, retired, by acts. */
import { choice, object, optional, string } from "@titian/contract";
import { type ActWords, onboardPartner, type PartnerStatus, setPartnerStatus } from "@titian/server/admin";
import { actWords } from "../acts/act-reason.ts";
import { valueOf } from "../control-error.ts";
import { defineCall } from "../rows/define-call.ts";
import type { PartnerCallsDeps } from "./partner-calls.ts";
import { newTerms, readRate } from "./partner-terms.ts";

const status = choice(["active", "suspended", "retired"]);
const statusView = object({
  partnerId: string(),
  status,
  note: optional(string({ description: "that a suspension was made at once, and waits for its approval" })),
  actId: optional(string({ description: "of the act that note is about" })),
});

async function setStatus(deps: PartnerCallsDeps, partnerId: string, to: PartnerStatus, words: ActWords) {
  const { partner, note, actId } = valueOf(await setPartnerStatus(deps, partnerId, to, words));
  return { partnerId, status: partner.status, note, actId };
}

export const partnerLifeCalls = [
  defineCall({
    name: "partner add",
    route: "PUT /partners/{partnerId}",
    role: "operator",
    does: "Onboards a partner, once another operator has approved that; one that is there already with the same terms stays. Its client secrets are the caller's: they are sealed here, and no answer and no act shows them.",
    body: newTerms,
    answer: object({ partnerId: string(), clientKey: string(), status }),
    run: async ({ params: { partnerId }, body }, deps: PartnerCallsDeps) => {
      const { rateLimit, clientKey = partnerId, ...terms } = body;
      const partner = { ...terms, ...readRate(rateLimit), partnerId, clientKey };
      const added = valueOf(await onboardPartner(deps, partner));
      return { partnerId, clientKey, status: added.status };
    },
  }),
  defineCall({
    name: "partner suspend",
    route: "POST /partners/{partnerId}/suspend",
    role: "operator",
    does: "Suspends a partner at once: within 2 s every node rejects its calls and tokens. Another operator approves that within the day, or ends it.",
    body: object(actWords),
    answer: statusView,
    run: ({ params: { partnerId }, body }, deps: PartnerCallsDeps) => setStatus(deps, partnerId, "suspended", body),
  }),
  defineCall({
    name: "partner resume",
    route: "POST /partners/{partnerId}/resume",
    role: "operator",
    does: "Lets a suspended partner call again, once another operator has approved that. A suspension that waits for its approval is ended by refusing it.",
    body: object(actWords),
    answer: statusView,
    run: ({ params: { partnerId }, body }, deps: PartnerCallsDeps) => setStatus(deps, partnerId, "active", body),
  }),
  defineCall({
    name: "partner retire",
    route: "POST /partners/{partnerId}/retire",
    role: "operator",
    does: "Retires a partner for good, once another operator has approved that: no call is accepted, its keys and secrets are deleted, its records stay.",
    body: object(actWords),
    answer: statusView,
    run: ({ params: { partnerId }, body }, deps: PartnerCallsDeps) => setStatus(deps, partnerId, "retired", body),
  }),
] as const;
