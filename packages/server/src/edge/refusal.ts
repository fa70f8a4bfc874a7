/** What a check returns when the call goes no further: the reply to give. */
import type { CaseName, JsonFault, ReadFault, ReasonOf } from "@titian/contract";
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

const jsonReasons: Readonly<Record<JsonFault, ReasonOf<"badRequest">>> = {
  syntax: "Not JSON",
  notObject: "Not an object",
  encoding: "Not UTF-8",
  byteOrderMark: "Byte order mark",
  loneSurrogate: "Lone surrogate",
  duplicateKey: "Duplicate key",
  forbiddenKey: "Forbidden key",
  tooDeep: "Too deep",
  freeFormTooLarge: "Free-form member too large",
};

/** A refusal of a body that is not one strict JSON object (decisions D5, D6). */
export function refuseJson(fault: JsonFault): Refusal {
  return refuse("badRequest", { reason: jsonReasons[fault] });
}

/** A refusal that names a field of a body that was read, and echoes what was valid in it. */
export function refuseField({ case: caseName, field, valid }: ReadFault, freeForm: EchoSource["freeForm"]): Refusal {
  const refused = field === undefined ? { case: caseName } : { case: caseName, field };
  return { refused, source: { request: valid, freeForm } };
}

export function isRefusal<Value>(outcome: Value | Refusal): outcome is Refusal {
  return typeof outcome === "object" && outcome !== null && "refused" in outcome;
}
