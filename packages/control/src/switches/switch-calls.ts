/** Switches: rails, services and the intake, which operators close and open again. */
import { array, object, operationRows, optional, orNull, type Static, string } from "@titian/contract";
import { closeSwitch, listSwitches, reopenSwitch, type SwitchDeps, type SwitchState, time } from "@titian/server/admin";
import { actWords } from "../acts/act-reason.ts";
import { valueOf } from "../control-error.ts";
import { defineCall } from "../rows/define-call.ts";

export type SwitchCallsDeps = SwitchDeps;

const closing = object({
  reason: string({ personal: "reason" }),
  closedAt: time(),
  actId: string({ description: "the act that closed it" }),
});

const switchView = object({
  name: string({ description: "intake, rail:interbank, service:18, …" }),
  title: optional(string({ description: "of a service" })),
  titleTranslations: optional(
    object({ id: string() }, { description: "the title in other languages, by ISO 639 code" }),
  ),
  closed: orNull(closing, { description: "null: it is open" }),
  note: optional(string({ description: "that its closing waits for an approval" })),
  actId: optional(string({ description: "of the act that note is about" })),
});

function showSwitch(found: SwitchState) {
  const { title, titleTranslations } = operationRows.find(({ code }) => found.name === `service:${code}`) ?? {};
  return { ...found, title, titleTranslations };
}

export type SwitchView = Static<typeof switchView>;

export const switchCalls = [
  defineCall({
    name: "switch list",
    route: "GET /switches",
    role: "viewer",
    does: "Rails, services and the intake, open or closed by an operator, and why.",
    answer: object({ switches: array(switchView) }),
    run: async (_input, deps: SwitchCallsDeps) => ({ switches: (await listSwitches(deps)).map(showSwitch) }),
  }),
  defineCall({
    name: "switch close",
    route: "POST /switches/{name}/close",
    role: "operator",
    does: "Closes it at once, on every node within 2 s: new requests are rejected 403xx06, of the intake answered 503xx00. What was accepted before goes on, and waits where it would be submitted to a closed rail. Another operator approves it within the day, or ends it.",
    body: object(actWords),
    answer: switchView,
    run: async ({ params: { name }, body }, deps: SwitchCallsDeps) =>
      showSwitch(valueOf(await closeSwitch(deps, { name, ...body }))),
  }),
  defineCall({
    name: "switch reopen",
    route: "POST /switches/{name}/reopen",
    role: "operator",
    does: "Opens it again, once another operator has approved that. Requests that were rejected meanwhile stay rejected.",
    body: object(actWords),
    answer: switchView,
    run: async ({ params: { name }, body }, deps: SwitchCallsDeps) =>
      showSwitch(valueOf(await reopenSwitch(deps, { name, ...body }))),
  }),
] as const;
