/** Transfers: listed, shown, and decided by an operator's word. */
import {
  array,
  boolean,
  choice,
  integer,
  object,
  optional,
  orNull,
  type Static,
  string,
  writesOf,
} from "@titian/contract";
import {
  ActNotApproved,
  amount,
  countOpenBulks,
  findBulk,
  findDetachedPartition,
  findOpenAct,
  findTransfer,
  listNewestTransfers,
  listOpenTransfers,
  type QueryDeps,
  RailAhead,
  type RailTransfer,
  time,
  toReferenceNo,
  type TransferDecision,
  transferStates,
} from "@titian/server/admin";
import { actWords } from "../acts/act-reason.ts";
import { ControlError, controlErrorOf } from "../control-error.ts";
import { defineCall } from "../rows/define-call.ts";
import { amounts, countView, flag, limit, limitOf, listed, listPageOf, numberOfBefore } from "../rows/pages.ts";
import { openTransferView, showOpenTransfer, showTransfer, transferDetailsView } from "./transfer-details.ts";

const transferView = object({
  referenceNo: string(),
  partnerId: string(),
  partnerReferenceNo: string(),
  serviceCode: string(),
  rail: optional(string({ description: "absent: within the bank" })),
  payerAccountNo: string({ personal: "account" }),
  beneficiaryAccountNo: string({ personal: "account" }),
  beneficiaryName: optional(string({ personal: "name" })),
  beneficiaryBankCode: optional(string()),
  currency: string(),
  amount: amount({ description: "what the beneficiary gets" }),
  fee: amount(),
  state: string(),
  status: string({ description: "latestTransactionStatus" }),
  acceptedAt: time(),
});
export type TransferView = Static<typeof transferView>;

const states = ["queued", "submitted", "pending", "settled", "rejected", "returned"] as const;
const inState = choice(states, { description: `one of ${states.join(", ")}` });
const services = writesOf("transfer").map(({ code }) => code);
const serviceCode = choice(services, { description: `one of ${services.join(", ")}` });

/** This API says `refused` of a rejected transfer. */
const decisions = { settled: "settled", refused: "rejected" } as const;

export interface TransferCallsDeps {
  readonly queries: QueryDeps;
  readonly transfers: {
    /**
     * Records the decision; undefined: no such transfer. Where it changes nothing, the transfer is as it was.
     * Without `withoutInquiry`: as where the calls are mounted. @throws ActNotApproved
     */
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
    does: "Transfers of 17, 18, 22 and 23, newest first unless order says otherwise, without items of bulks. A page may have fewer than `limit`; `detached` names the detached partitions whose transfers it lacks.",
    query: object({ ...listed, ...amounts, state: optional(inState), serviceCode: optional(serviceCode) }),
    answer: object({
      transfers: array(transferView),
      next: orNull(string()),
      count: countView,
      detached: array(string()),
    }),
    run: ({ query }, { queries }: TransferCallsDeps) =>
      listNewestTransfers(queries, listPageOf(query, queries.reference)),
  }),
  defineCall({
    name: "transfer pending",
    route: "GET /transfers/open",
    role: "viewer",
    does: "Transfers over a rail without a result, oldest first. Items of bulks that are not pending for long are left out and counted in inBulks; with items they are listed.",
    query: object({
      limit,
      after: optional(numberOfBefore),
      olderThanSeconds: optional(string({ pattern: "^[0-9]{1,15}$", description: "a number of seconds" })),
      items: optional(flag),
    }),
    answer: object({
      transfers: array(openTransferView),
      next: orNull(string()),
      inBulks: optional(object({ bulks: integer(), items: integer() }, { description: "absent with items" })),
    }),
    run: async ({ query }, { queries }: TransferCallsDeps) => {
      const { after, olderThanSeconds } = query;
      const olderThanMs = olderThanSeconds === undefined ? undefined : Number(olderThanSeconds) * 1_000;
      const [size, withItems] = [limitOf(query), query.items === "true"];
      const [found, inBulks] = await Promise.all([
        listOpenTransfers(queries, { after, olderThanMs, withItems, limit: size }),
        withItems ? undefined : countOpenBulks(queries, olderThanMs),
      ]);
      const next = found.length === size ? found.at(-1)?.referenceNo : undefined;
      return { transfers: found.map(showOpenTransfer), next, inBulks };
    },
  }),
  defineCall({
    name: "transfer show",
    route: "GET /transfers/{referenceNo}",
    role: "viewer",
    does: "A transfer over a rail with its postings, by its referenceNo or that of its approval, resolution or return.",
    answer: transferDetailsView,
    run: async ({ params: { referenceNo } }, { queries }: TransferCallsDeps) => {
      const partition = await findDetachedPartition(queries, referenceNo);
      if (partition !== undefined) {
        const message = `The request of ${referenceNo} is in the partition ${partition}, which is detached. Attach it: titian database attach ${partition}.`;
        throw new ControlError(409, "detached", message, "referenceNo");
      }
      const found = await findTransfer(queries, referenceNo);
      if (found) return { ...showTransfer(found), openAct: await findOpenAct(queries, found.referenceNo) };
      if (await findBulk(queries, referenceNo)) {
        const message = `${referenceNo} is a bulk transfer (20), whose items are transfers.`;
        throw new ControlError(404, "isBulk", message, "referenceNo");
      }
      throw unknownTransfer(`No transfer over a rail has the number ${referenceNo}.`);
    },
  }),
  defineCall({
    name: "transfer return",
    route: "POST /transfers/{referenceNo}/return",
    role: "operator",
    does: "A transfer that had settled comes back, by an operator's word.",
    answer: decided,
    body: object(actWords),
    run: ({ params, body }, deps: TransferCallsDeps) =>
      decide(deps, params.referenceNo, { ...body, resolution: "returned" }),
  }),
  defineCall({
    name: "transfer resolve",
    route: "POST /transfers/{referenceNo}/resolve",
    role: "operator",
    does: "The operator's decision on a transfer that is open. `refused` waits until 10 s have passed since it was last handed to its rail, unless the rail has acknowledged it (03). `withoutInquiry` false: a queued item of a bulk is refused once its rail has said that it does not have it; 409 where that takes more than 15 s.",
    body: object({
      result: choice(["settled", "refused"], { description: '"settled" or "refused"' }),
      withoutInquiry: optional(boolean({ description: "true or false" })),
      ...actWords,
    }),
    answer: decided,
    run: ({ params, body: { result, ...how } }, deps: TransferCallsDeps) =>
      decide(deps, params.referenceNo, { ...how, resolution: decisions[result] }),
  }),
] as const;

async function decide({ transfers }: TransferCallsDeps, number: string, decision: TransferDecision) {
  const { resolution: wanted } = decision;
  const transfer = await transfers.decide(number, decision).catch((error: unknown) => {
    if (error instanceof ActNotApproved) throw controlErrorOf(error);
    throw error instanceof RailAhead ? new ControlError(409, "railAhead", error.message, "referenceNo") : error;
  });
  if (!transfer) throw unknownTransfer("No transfer over a rail has this reference number.");
  const { id, rail, state, resolvedBy, returnedBy } = transfer;
  if (state !== wanted) {
    const message = `The transfer is ${state} (${transferStates[state].meaning}): from there it cannot become ${wanted}.`;
    throw new ControlError(409, "wrongState", message, "referenceNo");
  }
  const { status } = transferStates[state];
  const shown: Static<typeof decided>["state"] = wanted === "rejected" ? "refused" : wanted;
  return { referenceNo: toReferenceNo(id), rail, state: shown, status, endedBy: resolvedBy, returnedBy };
}

function unknownTransfer(message: string): ControlError {
  return new ControlError(404, "unknownTransfer", message, "referenceNo");
}
