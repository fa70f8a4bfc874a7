/** Operators: listed, added, given roles, and ended, by acts. */
import { array, boolean, object, optional, orNull, string } from "@titian/contract";
import {
  addOperator,
  endOperator,
  grantRole,
  listOperators,
  type OperatorDeps,
  operatorRoles,
  removeRole,
} from "@titian/server/admin";
import { actWords } from "../acts/act-reason.ts";
import { valueOf } from "../control-error.ts";
import { defineCall } from "../rows/define-call.ts";

export type ChangeOperatorCallsDeps = OperatorDeps;

const operatorView = object({
  id: string(),
  issuer: string(),
  subject: string(),
  name: string(),
  databaseRole: orNull(string(), { description: "null: by the console and the command line alone" }),
  roles: array(string()),
  isEnded: boolean(),
  note: optional(string({ description: "that a change was made at once, and waits for its approval" })),
  actId: optional(string({ description: "of the act that note is about" })),
});

const visible = "^[^\\x00-\\x1f\\x7f]+$";

const newOperator = object({
  issuer: string({
    maxLength: 200,
    pattern: "^https?://[\\x21-\\x7e]+$",
    description: "the address of the identity provider, such as https://login.bank.example",
  }),
  subject: string({ minLength: 1, maxLength: 200, pattern: visible, description: "his or her name there" }),
  name: string({ minLength: 1, maxLength: 100, pattern: visible, description: "a text of 1 to 100 characters" }),
  databaseRole: optional(
    string({
      minLength: 1,
      maxLength: 63,
      pattern: visible,
      description: "a role of PostgreSQL that nobody else comes in by",
    }),
  ),
  roles: array(string(), { description: `a list of ${operatorRoles.join(", ")}` }),
  ...actWords,
});

export const changeOperatorCalls = [
  defineCall({
    name: "operators list",
    route: "GET /operators",
    role: "viewer",
    does: "Operators with their roles, by name.",
    answer: object({ operators: array(operatorView) }),
    run: async (_input, { reads }: ChangeOperatorCallsDeps) => ({ operators: await listOperators(reads) }),
  }),
  defineCall({
    name: "operators add",
    route: "POST /operators",
    role: "security",
    does: "Adds an operator with roles, once another operator has approved that.",
    body: newOperator,
    answer: operatorView,
    run: async ({ body }, deps: ChangeOperatorCallsDeps) => valueOf(await addOperator(deps, body)),
  }),
  defineCall({
    name: "operators grant",
    route: "POST /operators/{operatorId}/roles/{role}",
    role: "security",
    does: "Gives an operator a role, once another operator has approved that. Nobody approves a role of his or her own.",
    body: object(actWords),
    answer: operatorView,
    run: async ({ params: { operatorId, role }, body }, deps: ChangeOperatorCallsDeps) =>
      valueOf(await grantRole(deps, operatorId, role, body)),
  }),
  defineCall({
    name: "operators take",
    route: "DELETE /operators/{operatorId}/roles/{role}",
    role: "security",
    does: "Takes a role from an operator at once. Another operator approves that within the day, or gives it back.",
    body: object(actWords),
    answer: operatorView,
    run: async ({ params: { operatorId, role }, body }, deps: ChangeOperatorCallsDeps) =>
      valueOf(await removeRole(deps, operatorId, role, body)),
  }),
  defineCall({
    name: "operators end",
    route: "POST /operators/{operatorId}/end",
    role: "security",
    does: "Ends an operator at once, at every door. Another operator approves that within the day, or takes it back.",
    body: object(actWords),
    answer: operatorView,
    run: async ({ params: { operatorId }, body }, deps: ChangeOperatorCallsDeps) =>
      valueOf(await endOperator(deps, operatorId, body)),
  }),
] as const;
