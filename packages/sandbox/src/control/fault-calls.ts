/** Faults on purpose. */
import { array, choice, integer, object, operationRows, optional, type Static, string } from "@titian/contract";
import { ControlError, defineCall, invalidField, unknownPartner } from "@titian/control";
import type { PartnerCredentials } from "@titian/server/admin";
import type { Faults } from "../faults/follow-faults.ts";
import { faultKinds, type PlannedFault } from "../faults/planned-fault.ts";

export interface FaultCallsDeps {
  readonly faults: Pick<Faults, "list" | "add" | "removeAll">;
  byPartnerId(partnerId: string): PartnerCredentials | undefined;
}

const nextMax = 1_000_000;
const delayMsMax = 60_000;
const delayMsDefault = 5_000;
/** The database has the bound, for all nodes (0010-planned-faults.sql). */
const tooManyFaults = "The partner has 32 faults that are not used up: remove them first (DELETE).";
const quoted = faultKinds.map((kind) => `"${kind}"`).join(", ");

const operationDescription = "an operation's name or service code, such as interbankTransfer or 18";

const calls = { minimum: 1, maximum: nextMax, description: `a whole number of calls from 1 to ${nextMax}` };
const delay = { minimum: 1, maximum: delayMsMax, description: `a number of milliseconds from 1 to ${delayMsMax}` };
const fault = object({
  fault: choice(faultKinds, { description: `one of ${quoted}` }),
  next: integer(calls),
  delayMs: optional(integer(delay)),
  operation: optional(string({ description: operationDescription })),
});
export type FaultView = Static<typeof fault>;

const answer = object({ partnerId: string(), faults: array(fault) });
const path = "/partners/{partnerId}/faults";

export const faultCalls = [
  defineCall({
    name: "fault list",
    route: `GET ${path}`,
    role: "viewer",
    does: "What the partner's calls are still to meet, in that order.",
    answer,
    run: ({ params }, deps: FaultCallsDeps) => show(deps, params.partnerId),
  }),
  defineCall({
    name: "fault add",
    route: `POST ${path}`,
    role: "operator",
    does: "A fault on purpose, which the partner's next calls meet. Answers as GET.",
    body: fault,
    answer,
    run: async ({ params: { partnerId }, body }, deps: FaultCallsDeps) => {
      const planned = readFault(body);
      if (!(await deps.faults.add(keyOf(deps, partnerId), planned))) {
        throw new ControlError(409, "tooManyFaults", tooManyFaults);
      }
      return show(deps, partnerId);
    },
  }),
  defineCall({
    name: "fault clear",
    route: `DELETE ${path}`,
    role: "operator",
    does: "Removes them all. Answers as GET.",
    answer,
    run: async ({ params: { partnerId } }, deps: FaultCallsDeps) => {
      await deps.faults.removeAll(keyOf(deps, partnerId));
      return show(deps, partnerId);
    },
  }),
] as const;

function keyOf({ byPartnerId }: FaultCallsDeps, partnerId: string): string {
  const partner = byPartnerId(partnerId);
  if (partner) return partner.key;
  throw unknownPartner(partnerId);
}

async function show(deps: FaultCallsDeps, partnerId: string) {
  const planned = await deps.faults.list(keyOf(deps, partnerId));
  return { partnerId, faults: planned.map(describe) };
}

function readFault({ fault: kind, next, delayMs, operation }: FaultView) {
  if (delayMs !== undefined && kind !== "delay") {
    throw invalidField("delayMs", `delayMs belongs to the fault "delay": leave it out of ${kind}.`);
  }
  return {
    fault: kind,
    left: next,
    delayMs: kind === "delay" ? (delayMs ?? delayMsDefault) : 0,
    ...(operation !== undefined && { operation: readOperation(operation) }),
  };
}

function readOperation(text: string): string {
  const row = operationRows.find(
    ({ direction, name, code }) => direction === "toProvider" && [name, code].includes(text),
  );
  if (row) return row.name;
  throw invalidField("operation", `operation must be ${operationDescription}.`);
}

function describe({ fault: kind, left, delayMs, operation }: PlannedFault) {
  return { fault: kind, next: left, delayMs: kind === "delay" ? delayMs : undefined, operation };
}
