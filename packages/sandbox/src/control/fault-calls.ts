/** Faults on purpose over the control API. */
import { choice, integer, object, operationRows, optional, type Static, string } from "@titian/contract";
import type { FastifyInstance } from "fastify";
import type { PartnerCredentials } from "@titian/server/admin";
import type { Faults } from "../faults/follow-faults.ts";
import { faultKinds, type PlannedFault } from "../faults/planned-fault.ts";
import { ControlError, invalidField, readBody } from "@titian/control";

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

const FaultBody = object({
  fault: choice(faultKinds, { description: `one of ${quoted}` }),
  next: integer({ minimum: 1, maximum: nextMax, description: `a whole number of calls from 1 to ${nextMax}` }),
  delayMs: optional(
    integer({ minimum: 1, maximum: delayMsMax, description: `a number of milliseconds from 1 to ${delayMsMax}` }),
  ),
  operation: optional(string({ description: operationDescription })),
});
const NoBody = object({});

interface PartnerPath {
  readonly Params: { readonly partnerId: string };
}

export function serveFaultCalls(app: FastifyInstance, { faults, byPartnerId }: FaultCallsDeps): void {
  const keyOf = (partnerId: string): string => {
    const partner = byPartnerId(partnerId);
    if (partner) return partner.key;
    throw new ControlError(404, "unknownPartner", "There is no such partner; sandbox.json lists them.", "partnerId");
  };
  const show = async (partnerId: string) => ({
    partnerId,
    faults: (await faults.list(keyOf(partnerId))).map(describe),
  });
  app.get<PartnerPath>("/partners/:partnerId/faults", async ({ params }) => show(params.partnerId));
  app.post<PartnerPath>("/partners/:partnerId/faults", async ({ params, body }) => {
    const fault = readFault(readBody(FaultBody, body));
    if (!(await faults.add(keyOf(params.partnerId), fault)))
      throw new ControlError(409, "tooManyFaults", tooManyFaults);
    return show(params.partnerId);
  });
  app.delete<PartnerPath>("/partners/:partnerId/faults", async ({ params, body }) => {
    readBody(NoBody, body);
    await faults.removeAll(keyOf(params.partnerId));
    return show(params.partnerId);
  });
}

function readFault({ fault, next, delayMs, operation }: Static<typeof FaultBody>) {
  if (delayMs !== undefined && fault !== "delay") {
    throw invalidField("delayMs", `delayMs belongs to the fault "delay": leave it out of ${fault}.`);
  }
  return {
    fault,
    left: next,
    delayMs: fault === "delay" ? (delayMs ?? delayMsDefault) : 0,
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

function describe({ fault, left, delayMs, operation }: PlannedFault) {
  return {
    fault,
    next: left,
    ...(fault === "delay" && { delayMs }),
    ...(operation !== undefined && { operation }),
  };
}
