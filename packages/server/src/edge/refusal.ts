/** What a check returns when the call goes no further: the reply to give. */
import type { CaseName } from "@titian/contract";
import type { Reply } from "../call.ts";

export interface Refusal {
  readonly refused: Reply;
}

/** A refusal whose answer is the envelope alone (decision D8: headers, token, signature, unreadable JSON). */
export function refuse(
  caseName: CaseName,
  detail: { field?: string; reason?: string; retryAfter?: number } = {},
): Refusal {
  return { refused: { case: caseName, ...detail, echo: false } };
}

export function isRefusal<Value>(outcome: Value | Refusal): outcome is Refusal {
  return typeof outcome === "object" && outcome !== null && "refused" in outcome;
}
