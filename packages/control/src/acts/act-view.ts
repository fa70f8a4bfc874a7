/** Operators' acts as answers. */
import { boolean, choice, integer, object, optional, type Static, string } from "@titian/contract";
import { actKinds, time } from "@titian/server/admin";

export const actStates = ["proposed", "approved", "refused", "expired", "done", "rejected"] as const;

const members = {
  actId: string(),
  cell: optional(integer({ description: "the further cell that has it, which calls about it name; absent: home" })),
  kind: string({ description: `${actKinds.join(", ")}, unmasking, breakGlass; operator: the first operators` }),
  does: string({ description: "what it changes, with names and amounts", personal: "sentence" }),
  doesTranslations: object(
    { id: string({ personal: "sentence" }) },
    { description: "the same in other languages, by ISO 639 code" },
  ),
  reason: string({ personal: "reason" }),
  state: choice(actStates, {
    description: "rejected: it was approved, and could not be carried out any more",
  }),
  isAtOnce: boolean({ description: "true: it was done with its proposal, and stands until it is refused" }),
  proposedBy: string({ description: "issuer and subject of the operator" }),
  proposedAt: time(),
  expiresAt: time({ description: "until when it can be approved; when isAtOnce, it can be later, too" }),
};

export const actView = object({
  ...members,
  target: string({ description: "an account number, or the referenceNo of a transfer", personal: "sentence" }),
  entries: optional(
    string({
      description: "the entries that it must come to: account, minor units, currency",
      personal: "sentence",
    }),
  ),
  ticket: optional(string()),
  decidedBy: optional(string()),
  decidedAt: optional(time()),
  refusal: optional(string({ description: "why it was refused", personal: "reason" })),
  carriedOutBy: optional(string({ description: "the node" })),
  carriedOutAt: optional(time()),
  found: optional(string({ description: "why it could not be carried out", personal: "reason" })),
  journalNo: optional(string({ description: "number of the journal that it moved money in" })),
  hash: string({ description: "of the proposal: an approval names it" }),
});
export type ActView = Static<typeof actView>;

const openActView = object(members, {
  description:
    "the act that waits for its approval (proposed) or for a node (approved); the oldest, where there are more",
});
export type OpenActView = Static<typeof openActView>;

/** Member of a record: absent where no act is open on it. */
export const openAct = optional(openActView);
