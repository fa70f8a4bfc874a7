/** Evidence of a call that is kept for its explanation, and how many bytes that takes while it waits. */
import type { ObservedCall } from "@titian/server";
import type { CallEvidence } from "@titian/explain";

/** A call just answered, or one that was recorded. */
export type ExplainableCall = Omit<ObservedCall, "fields" | "number"> &
  Pick<CallEvidence, "isBodyCut" | "tokensIssuedHere">;

/** A longer body is not kept: its hash would take more than the rest. */
const bodyMax = 262_144;
/** Bytes that a call takes beside its texts. */
const fixedBytes = 1_024;

/** A copy, so that a call that waits holds on to no body of the service's own. */
export function evidenceOf(call: ExplainableCall, paths: CallEvidence["paths"]): CallEvidence {
  const { method, target, at, businessTime, operation, rejectedAt, rejection, responseCode, tokensIssuedHere } = call;
  const isCut = call.isBodyCut === true || bodyBytesOf(call) > bodyMax;
  const { case: caseName, field, reason } = rejection ?? {};
  return {
    method,
    target,
    rawHeaders: [...call.rawHeaders],
    body: isCut || call.body === undefined ? undefined : new Uint8Array(call.body),
    isBodyCut: isCut,
    at,
    businessTime,
    operation,
    rejectedAt,
    rejection: caseName && { case: caseName, field, reason },
    responseCode,
    tokensIssuedHere,
    paths,
  };
}

/** Bytes of the evidence of a call. */
export function bytesOf(call: ExplainableCall): number {
  const { rawHeaders, target } = call;
  const body = bodyBytesOf(call);
  let bytes = fixedBytes + target.length + (body > bodyMax ? 0 : body);
  for (const text of rawHeaders) bytes += text.length;
  return bytes;
}

const bodyBytesOf = ({ body }: ExplainableCall) => body?.length ?? 0;
