/**
 * Checks that a request is an authenticated, valid call. The order of the checks is public (spec D2): of two faults the
 * first is answered. Steps 7 to 12; `handle-request.ts` has those before.
 */
import { hashBody, minify, type OperationRow, readJson, readRequest } from "@titian/contract";
import type { Call } from "../../interfaces/call.ts";
import type { Clock } from "../../basics/clock.ts";
import type { Head } from "./check-head.ts";
import { checkRate, checkCapacity, checkService, type Intake } from "./check-capacity.ts";
import type { LookUps } from "./look-ups.ts";
import type { RateLimiter } from "../authentication/rate-limit.ts";
import { type RejectedCall, rejectField, rejectJson } from "../responses/rejected-call.ts";
import { checkSignature } from "../authentication/signature.ts";

export interface CheckContext extends Intake {
  readonly clock: Clock;
  readonly rateLimiter: RateLimiter;
  readonly lookUps: LookUps;
}

export interface ReceivedCall {
  readonly operation: OperationRow;
  /** The path and query that were signed. */
  readonly target: string;
  readonly body: Buffer;
  readonly correlationId: string;
}

export function checkCall(
  { operation, target, body, correlationId }: ReceivedCall,
  head: Head,
  context: CheckContext,
): Call | RejectedCall {
  const { partner, customerAccountNo, externalId, signature, sentAt, windowEndsAt } = head;

  // 7: signature, over the received bytes
  const rawHash = hashBody(body);
  const signed = checkSignature({ ...head, target, body, bodyHash: rawHash });
  if (signed !== undefined) return signed;

  // 8 and 9: what the partner may use, how often, and whether there is capacity
  const limited =
    checkService(partner, operation) ??
    checkRate(partner, operation, context.rateLimiter, context.clock.real()) ??
    checkCapacity(partner, operation, context);
  if (limited !== undefined) return limited;

  // 10: strict JSON
  const json = readJson(body, operation);
  if (!json.ok) return rejectJson(json.reason);

  // 11 and 12: mandatory fields, then formats
  const { freeForm } = json;
  const read = readRequest(operation, json.value);
  if (!read.ok) return rejectField(read, freeForm);

  const { looksUp } = operation.about;
  if (looksUp !== undefined) context.lookUps.note(partner, read.value[looksUp]);
  return {
    operation,
    partner,
    ...(customerAccountNo !== undefined && { customerAccountNo }),
    externalId,
    signature,
    sentAt,
    windowEndsAt,
    request: read.value,
    bodyHash: json.hasOuterWhitespace ? hashBody(minify(body)) : rawHash,
    freeForm,
    correlationId,
  };
}
