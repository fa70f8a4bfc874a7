/** Accounts that are moved from one cell to another. */
import { array, integer, object, optional, orNull, string } from "@titian/contract";
import {
  findAccount,
  findPlace,
  fromReferenceNo,
  listPlaces,
  moveAccount,
  type MoveAccountDeps,
  type QueryDeps,
} from "@titian/server/admin";
import { actWords } from "../acts/act-reason.ts";
import { valueOf } from "../control-error.ts";
import { defineCall } from "../rows/define-call.ts";
import { limit, limitOf } from "../rows/pages.ts";

export interface MoveCallsDeps extends Omit<MoveAccountDeps, "reference"> {
  readonly queries: QueryDeps;
}

const placeView = object({
  accountNo: string({ personal: "account" }),
  cell: integer({ description: "number of the cell that decides on it; 0: home" }),
  movingTo: optional(
    integer({ description: "the cell that it is moving to; its calls are answered 503xx00 meanwhile" }),
  ),
  refusal: optional(string({ description: "the reason why it did not move when it was last asked to" })),
});

/** An account may be named by its id, as where its number is masked. Whether there is such an account its cell says later. */
async function numberOf({ queries, accountsOf }: MoveCallsDeps, named: string): Promise<string> {
  const text = named.replaceAll("\u0000", "");
  // It can be no id: its cell need not answer.
  if (fromReferenceNo(text) === undefined) return text;
  const found = await findAccount({ pool: accountsOf?.(text) ?? queries.pool }, text);
  return found?.accountNo ?? text;
}

const depsOf = ({ queries, ...deps }: MoveCallsDeps): MoveAccountDeps => ({
  ...deps,
  reference: () => queries.reference.current(),
});

export const moveCalls = [
  defineCall({
    name: "account moves",
    route: "GET /moves",
    role: "viewer",
    does: "Accounts that were moved to another cell, are moving, or did not move when they were asked to, by number.",
    query: object({ limit, after: optional(string({ description: "the next of the page before" })) }),
    answer: object({ accounts: array(placeView), next: orNull(string()) }),
    run: async ({ query }, deps: MoveCallsDeps) => listPlaces(deps, { after: query.after, limit: limitOf(query) }),
  }),
  defineCall({
    name: "account place",
    route: "GET /moves/{accountNo}",
    role: "viewer",
    does: "The cell that an account of this number is in, or belongs to, and the one that it is moving to.",
    answer: placeView,
    run: async ({ params }, deps: MoveCallsDeps) => findPlace(depsOf(deps), await numberOf(deps, params.accountNo)),
  }),
  defineCall({
    name: "account move",
    route: "POST /moves",
    role: "operator",
    does: "Moves an account to another cell, once another operator has approved that: nodes do it within seconds, and answer its calls 503xx00 meanwhile. It stays where it is while something is held on it, or a transfer or a request for payment of it is open: then its refusal says so.",
    body: object({
      accountNo: string({ description: "a holder's account, by its number or accountId" }),
      cell: integer({ minimum: 0, maximum: 255, description: "the number of a cell that home lists, or 0 for home" }),
      ...actWords,
    }),
    answer: placeView,
    run: async ({ body }, deps: MoveCallsDeps) => {
      const accountNo = await numberOf(deps, body.accountNo);
      return valueOf(await moveAccount(depsOf(deps), { ...body, accountNo }));
    },
  }),
] as const;
