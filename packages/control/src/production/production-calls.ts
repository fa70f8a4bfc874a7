/** The calls that a production node serves to operators, and why it does not serve the others. */
import { controlCalls } from "../control-calls.ts";
import type { Role } from "../rows/define-call.ts";
import { makersOf } from "../rows/roles.ts";
import type { ControlCall } from "../types.ts";
import { unmaskCalls } from "./unmask-calls.ts";

const byCommand = "changes data at once, without an act: administration has a command for it";
const payersAnswer = "is the payer's answer, which moves money without an act";
const simulated = "steers a simulated rail";
const ofOneNode = "shows what one node remembers; kept calls are found by their correlation id";

/** Reason why a row is not served, by route. */
export const notInProduction = {
  "PUT /partners/{partnerId}/notification-address": "is a term among others: partner set proposes it",
  "POST /notifications/replay": byCommand,
  "POST /payment-requests/{referenceNo}/approve": payersAnswer,
  "POST /payment-requests/{referenceNo}/decline": payersAnswer,
  "GET /rails/{rail}/mode": simulated,
  "POST /rails/{rail}/mode": simulated,
  "POST /rails/{rail}/settle": simulated,
  "GET /calls": ofOneNode,
  "GET /calls/stream": ofOneNode,
  "GET /calls/minutes": ofOneNode,
  "GET /calls/{id}": ofOneNode,
  "GET /refusals": ofOneNode,
  "GET /audit": "reads the whole ledger for minutes: titian audit, with a role of its own",
  "POST /session": "opens a session by the sandbox's control token",
} as const satisfies Partial<Record<ControlCall["route"], string>>;

/** Rows that act, all by acts: their caller proposes or decides. */
const actsInProduction: readonly string[] = [
  "POST /accounts",
  "PATCH /accounts/{accountNo}",
  "POST /accounts/{accountNo}/fund",
  "POST /accounts/{accountNo}/withdraw",
  "POST /corrections",
  "POST /ledger/moves",
  "POST /moves",
  "POST /transfers/{referenceNo}/return",
  "POST /transfers/{referenceNo}/resolve",
  "POST /acts/sheet/approve",
  "POST /acts/{actId}/approve",
  "POST /acts/{actId}/refuse",
  "PUT /partners/{partnerId}",
  "PUT /partners/{partnerId}/settings",
  "POST /partners/{partnerId}/suspend",
  "POST /partners/{partnerId}/resume",
  "POST /partners/{partnerId}/retire",
  "POST /partners/{partnerId}/secrets",
  "POST /partners/{partnerId}/secrets/{credentialId}/retire",
  "POST /partners/{partnerId}/keys",
  "POST /partners/{partnerId}/keys/{credentialId}/retire",
  "PUT /partners/{partnerId}/merchants/{merchantId}",
  "PATCH /partners/{partnerId}/merchants/{merchantId}",
  "POST /partners/{partnerId}/merchants/{merchantId}/suspend",
  "POST /partners/{partnerId}/merchants/{merchantId}/resume",
  "POST /consents/revoke",
  "POST /switches/{name}/close",
  "POST /switches/{name}/reopen",
  "POST /operators",
  "POST /operators/{operatorId}/roles/{role}",
  "DELETE /operators/{operatorId}/roles/{role}",
  "POST /operators/{operatorId}/end",
] satisfies readonly ControlCall["route"][];

type Served = Exclude<ControlCall, { readonly route: keyof typeof notInProduction }>;

export const productionCalls = [
  ...controlCalls.filter((row): row is Served =>
    row.access === "read" ? !Object.hasOwn(notInProduction, row.route) : actsInProduction.includes(row.route),
  ),
  ...unmaskCalls,
];

/** Routes of the calls that act and that an operator of these roles makes, so that the console offers no others. */
export const actsOf = (held: readonly Role[]): readonly string[] =>
  productionCalls
    .filter((row) => row.access === "act" && makersOf(row).some((role) => held.includes(role)))
    .map(({ route }) => route);
