/** The result of a failed check: the reply, and which check it was. */
import { type CaseName, type JsonFault, jsonReasons, type ReadFault } from "@titian/contract";
import type { Reply } from "../../interfaces/call.ts";
import type { EchoSource } from "./response-form.ts";

/** Number of a check in the order of validation (spec D2). */
export type CheckStep = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12;

export interface RejectedCall {
  readonly rejected: Reply;
  readonly step: CheckStep;
  /** The part of the request that may be echoed; absent before the body was read. */
  readonly source?: EchoSource;
  /** Headers of this response alone: a flat list of names and values. */
  readonly headers?: readonly string[];
}

/** A rejection whose response is the envelope alone (spec D8: headers, token, signature, unreadable JSON). */
export function reject(
  step: CheckStep,
  caseName: CaseName,
  detail: Pick<Reply, "field" | "reason" | "connection" | "retryAfter"> = {},
): RejectedCall {
  return { rejected: { case: caseName, ...detail }, step };
}

/** A rejection of a body that is not one strict JSON object (spec D5, D6). */
export function rejectJson(fault: JsonFault): RejectedCall {
  return reject(10, "badRequest", { reason: jsonReasons[fault] });
}

/** A rejection that names a field of a body that was read, and echoes what was valid in it. */
export function rejectField(
  { case: caseName, field, valid }: ReadFault,
  freeForm: EchoSource["freeForm"],
): RejectedCall {
  const rejected = field === undefined ? { case: caseName } : { case: caseName, field };
  return { rejected, step: stepsOfFaults[caseName], source: { request: valid, freeForm } };
}

const stepsOfFaults: Readonly<Record<ReadFault["case"], CheckStep>> = {
  badRequest: 10,
  invalidMandatoryField: 11,
  invalidFieldFormat: 12,
};

/** Checks of fields that need more than the request's row: an operation makes them. */
const stepsOfCases: Readonly<Partial<Record<CaseName, CheckStep>>> = {
  invalidMandatoryField: 11,
  invalidFieldFormat: 12,
  customerTokenNotFound: 12,
};

/** The check that an operation's reply belongs to; undefined: the call passed them all. */
export function stepOfReply({ case: caseName }: Reply): CheckStep | undefined {
  return stepsOfCases[caseName];
}

export function isRejection<Value>(outcome: Value | RejectedCall): outcome is RejectedCall {
  return typeof outcome === "object" && outcome !== null && "rejected" in outcome;
}
