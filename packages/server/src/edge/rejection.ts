/** The result of a failed check: the reply. */
import { type CaseName, type JsonFault, jsonReasons, type ReadFault } from "@titian/contract";
import type { Reply } from "../call.ts";
import type { EchoSource } from "./answer.ts";

export interface RejectedCall {
  readonly rejected: Reply;
  /** The part of the request that may be echoed; absent before the body was read. */
  readonly source?: EchoSource;
  /** Headers of this answer alone: a flat list of names and values. */
  readonly headers?: readonly string[];
}

/** A rejection whose answer is the envelope alone (spec D8: headers, token, signature, unreadable JSON). */
export function reject(caseName: CaseName, detail: Pick<Reply, "field" | "reason" | "retryAfter"> = {}): RejectedCall {
  return { rejected: { case: caseName, ...detail } };
}

/** A rejection of a body that is not one strict JSON object (spec D5, D6). */
export function rejectJson(fault: JsonFault): RejectedCall {
  return reject("badRequest", { reason: jsonReasons[fault] });
}

/** A rejection that names a field of a body that was read, and echoes what was valid in it. */
export function rejectField(
  { case: caseName, field, valid }: ReadFault,
  freeForm: EchoSource["freeForm"],
): RejectedCall {
  const rejected = field === undefined ? { case: caseName } : { case: caseName, field };
  return { rejected, source: { request: valid, freeForm } };
}

export function isRejection<Value>(outcome: Value | RejectedCall): outcome is RejectedCall {
  return typeof outcome === "object" && outcome !== null && "rejected" in outcome;
}
