/** Transfers: listed, and decided by an operator's word. */
import { array, choice, object, optional, orNull, type Static, string } from "@titian/contract";
import {
  amount,
  listNewestTransfers,
  type QueryDeps,
  type RailTransfer,
  time,
  toReferenceNo,
  transferStates,
} from "@titian/server/admin";
import { ControlError } from "../control-error.ts";
import { defineCall } from "../rows/define-call.ts";
import { page, pageOf } from "../rows/pages.ts";

const transferView = object({
  referenceNo: string(),
  partnerId: string(),
  partnerReferenceNo: string(),
  serviceCode: string(),
  rail: optional(string({ description: "absent: within the bank" })),
  payerAccountNo: string(),
  beneficiaryAccountNo: string(),
  beneficiaryName: optional(string()),
  beneficiaryBankCode: optional(string()),
  currency: string(),
  amount: amount({ description: "what the beneficiary gets" }),
  fee: amount(),
  state: string(),
  status: string({ description: "latestTransactionStatus" }),
  acceptedAt: time(),
});
export type TransferView = Static<typeof transferView>;

/** This API says `refused` of a rejected transfer. */
const decisions = { settled: "settled", refused: "rejected" } as const;
export type TransferDecision = (typeof decisions)[keyof typeof decisions] | "returned";

export interface TransferCallsDeps {
  readonly queries: QueryDeps;
  readonly transfers: {
    /** Records the decision; undefined: no such transfer. Where it changes nothing, the transfer is as it was. */
    decide(referenceNo: string, decision: TransferDecision): Promise<RailTransfer | undefined>;
  };
}

const decided = object({
  referenceNo: string(),
  rail: string(),
  state: choice(["settled", "refused", "returned"]),
  status: string({ description: "latestTransactionStatus" }),
  endedBy: optional(string({ description: "who settled or refused it" })),
  returnedBy: optional(string()),
});

export const transferCalls = [
  defineCall({
    name: "transfer list",
    route: "GET /transfers",
    role: "viewer",
    does: "Transfers of 17, 18, 22 and 23, newest first, without items of bulks. A page may have fewer than `limit`; `detached` names the detached partitions whose transfers it lacks.",
    query: object(page),
    answer: object({ transfers: array(transferView), next: orNull(string()), detached: array(string()) }),
    run: ({ query }, { queries }: TransferCallsDeps) => listNewestTransfers(queries, pageOf(query)),
  }),
  defineCall({
    name: "transfer return",
    route: "POST /transfers/{referenceNo}/return",
    role: "operator",
    does: "A transfer that had settled comes back, by an operator's word.",
    answer: decided,
    run: ({ params }, deps: TransferCallsDeps) => decide(deps, params.referenceNo, "returned"),
  }),
  defineCall({
    name: "transfer resolve",
    route: "POST /transfers/{referenceNo}/resolve",
    role: "operator",
    does: "The operator's decision on a transfer that is open. `refused` waits until 10 s have passed since it was last handed to its rail, unless the rail has acknowledged it (03).",
    body: object({ result: choice(["settled", "refused"], { description: '"settled" or "refused"' }) }),
    answer: decided,
    run: ({ params, body }, deps: TransferCallsDeps) => decide(deps, params.referenceNo, decisions[body.result]),
  }),
] as const;

async function decide({ transfers }: TransferCallsDeps, number: string, wanted: TransferDecision) {
  const transfer = await transfers.decide(number, wanted);
  if (!transfer) {
    throw new ControlError(404, "unknownTransfer", "No transfer over a rail has this reference number.", "referenceNo");
  }
  const { id, rail, state, resolvedBy, returnedBy } = transfer;
  if (state !== wanted) {
    const message = `The transfer is ${state} (${transferStates[state].meaning}): from there it cannot become ${wanted}.`;
    throw new ControlError(409, "wrongState", message, "referenceNo");
  }
  const { status } = transferStates[state];
  const shown: Static<typeof decided>["state"] = wanted === "rejected" ? "refused" : wanted;
  return { referenceNo: toReferenceNo(id), rail, state: shown, status, endedBy: resolvedBy, returnedBy };
}
