/** What a check returns when the call goes no further: the reply to give. */
import type { CaseName, ReadFault } from "@titian/contract";
import type { Reply } from "../call.ts";
import type { EchoSource } from "./answer.ts";

export interface Refusal {
  readonly refused: Reply;
  /** What of the request may be echoed; absent before the body was read. */
  readonly source?: EchoSource;
  /** Headers of this answer alone: a flat list of names and values. */
  readonly headers?: readonly string[];
}

/** A refusal whose answer is the envelope alone (decision D8: headers, token, signature, unreadable JSON). */
export function refuse(caseName: CaseName, detail: Pick<Reply, "field" | "reason" | "retryAfter"> = {}): Refusal {
  return { refused: { case: caseName, ...detail } };
}

/** A refusal that names a field of a body that was read, and echoes what was valid in it. */
export function refuseField({ case: caseName, field, valid }: ReadFault, freeForm: EchoSource["freeForm"]): Refusal {
  const refused = field === undefined ? { case: caseName } : { case: caseName, field };
  return { refused, source: { request: valid, freeForm } };
}

export function isRefusal<Value>(outcome: Value | Refusal): outcome is Refusal {
  return typeof outcome === "object" && outcome !== null && "refused" in outcome;
}
