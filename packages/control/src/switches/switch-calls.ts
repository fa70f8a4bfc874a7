/** Switches: rails, services and the intake, which operators close and open again. */
import { array, object, optional, orNull, string } from "@titian/contract";
import { closeSwitch, listSwitches, reopenSwitch, type SwitchDeps, time } from "@titian/server/admin";
import { actWords } from "../acts/act-reason.ts";
import { valueOf } from "../control-error.ts";
import { defineCall } from "../rows/define-call.ts";

export type SwitchCallsDeps = SwitchDeps;

const closing = object({
  reason: string(),
  closedAt: time(),
  actId: string({ description: "the act that closed it" }),
});

const switchView = object({
  name: string({ description: "intake, rail:interbank, service:18, …" }),
  closed: orNull(closing, { description: "null: it is open" }),
  note: optional(string({ description: "that its closing waits for an approval" })),
});

export const switchCalls = [
  defineCall({
    name: "switch list",
    route: "GET /switches",
    role: "viewer",
    does: "Rails, services and the intake, open or closed by an operator, and why.",
    answer: object({ switches: array(switchView) }),
    run: async (_input, deps: SwitchCallsDeps) => ({ switches: await listSwitches(deps) }),
  }),
  defineCall({
    name: "switch close",
    route: "POST /switches/{name}/close",
    role: "operator",
    does: "Closes it at once, on every node within 2 s: new requests are rejected 403xx06, of the intake answered 503xx00. What was accepted before goes on, and waits where it would be submitted to a closed rail. Another operator approves it within the day, or ends it.",
    body: object(actWords),
    answer: switchView,
    run: async ({ params: { name }, body }, deps: SwitchCallsDeps) =>
      valueOf(await closeSwitch(deps, { name, ...body })),
  }),
  defineCall({
    name: "switch reopen",
    route: "POST /switches/{name}/reopen",
    role: "operator",
    does: "Opens it again, once another operator has approved that. Requests that were rejected meanwhile stay rejected.",
    body: object(actWords),
    answer: switchView,
    run: async ({ params: { name }, body }, deps: SwitchCallsDeps) =>
      valueOf(await reopenSwitch(deps, { name, ...body })),
  }),
] as const;
