/** Operators' acts: listed, shown, approved and refused. */
import { array, choice, integer, object, optional, orNull, string } from "@titian/contract";
import {
  type ActDeps,
  actKinds,
  amount,
  approveAct,
  approveSheet,
  findAct,
  listActs,
  type QueryDeps,
  readSheet,
  refuseAct,
} from "@titian/server/admin";
import { ControlError } from "../control-error.ts";
import { defineCall } from "../rows/define-call.ts";
import { flag, limit, limitOf, nextOfBefore } from "../rows/pages.ts";
import { actReason } from "./act-reason.ts";
import { decide } from "./decide.ts";
import { actStates, actView } from "./act-view.ts";

export interface ActCallsDeps extends ActDeps {
  readonly queries: QueryDeps;
}

const kind = choice(actKinds, { description: `one of ${actKinds.join(", ")}` });
const hash = string({ pattern: "^[0-9a-f]{64}$", description: "the hash of the act as it was read" });
const decided = object({ state: choice(actStates) });

export const actCalls = [
  defineCall({
    name: "act list",
    route: "GET /acts",
    role: "viewer",
    does: "Operators' acts, newest first: all, those on one account or transfer, or those that are open.",
    query: object({
      limit,
      before: optional(string({ pattern: "^[0-9]{1,15}$", description: nextOfBefore })),
      target: optional(string({ description: "an account number, or the referenceNo of a transfer" })),
      open: optional(flag),
    }),
    answer: object({ acts: array(actView), next: orNull(string()) }),
    run: async ({ query }, { queries }: ActCallsDeps) => {
      const { before, target, open } = query;
      const page = { limit: limitOf(query), target: target?.replaceAll("\u0000", ""), isOpen: open === "true" };
      const { acts, next } = await listActs(queries, {
        ...page,
        before: before === undefined ? undefined : Number(before),
      });
      return { acts, next: next?.toString() };
    },
  }),
  defineCall({
    name: "act sheet",
    route: "GET /acts/sheet",
    role: "viewer",
    does: "The acts of a kind that wait for their approval, at most 1,000: how many, their amounts added up, and the hash of all of them.",
    query: object({ kind }),
    answer: object({
      kind: string(),
      count: integer(),
      totals: array(object({ currency: string(), amount: amount() })),
      hash: string({ description: "an approval of the sheet names it" }),
    }),
    run: ({ query }, deps: ActCallsDeps) => readSheet(deps, query.kind),
  }),
  defineCall({
    name: "act approve-sheet",
    route: "POST /acts/sheet/approve",
    role: "approver",
    does: "Approves the acts of a kind as they were read, all of them or none.",
    body: object({ kind, hash }),
    answer: object({ approved: integer({ description: "acts" }) }),
    run: async ({ body }, deps: ActCallsDeps) => {
      const approved = await decide(approveSheet(deps, body.kind, body.hash));
      if (approved === undefined)
        throw new ControlError(
          409,
          "actChanged",
          "Nothing was approved: other acts wait by now. Read them again.",
          "hash",
        );
      return { approved };
    },
  }),
  defineCall({
    name: "act show",
    route: "GET /acts/{actId}",
    role: "viewer",
    does: "An act: what it changes, who proposed and who decided on it, and what came of it.",
    answer: actView,
    run: ({ params }, deps: ActCallsDeps) => find(deps, params.actId),
  }),
  defineCall({
    name: "act approve",
    route: "POST /acts/{actId}/approve",
    role: "approver",
    does: "Approves an act that another operator has proposed, as it was read; a node carries it out within seconds. One that waits no more stays what it is.",
    body: object({ hash }),
    answer: decided,
    run: async ({ params, body }, deps: ActCallsDeps) => {
      await find(deps, params.actId);
      return { state: await decide(approveAct(deps, params.actId, body.hash)) };
    },
  }),
  defineCall({
    name: "act refuse",
    route: "POST /acts/{actId}/refuse",
    role: "approver",
    does: "Refuses an act, which does nothing then; its proposer may take it back so. One that waits no more stays what it is.",
    body: object({ hash, reason: actReason }),
    answer: decided,
    run: async ({ params, body }, deps: ActCallsDeps) => {
      await find(deps, params.actId);
      return { state: await decide(refuseAct(deps, params.actId, body)) };
    },
  }),
] as const;

async function find({ queries }: ActCallsDeps, actId: string) {
  const act = await findAct(queries, actId);
  if (act) return act;
  throw new ControlError(404, "unknownAct", `There is no act ${actId}.`, "actId");
}
