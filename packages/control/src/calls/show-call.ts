/** Recorded calls as they are shown: times as texts, secrets masked. */
import { operations } from "@titian/contract";
import { maskBody, maskHeader, maskTarget } from "@titian/explain";
import type { CallDetails, CallView } from "./call-views.ts";
import { isoTime } from "./iso-time.ts";
import type { ExplainedView } from "./refusal-views.ts";
import type { RecordedCall } from "./record-calls.ts";

const pathLengthMax = 300;
const claimLengthMax = 128;

/** A text without the secrets that are known here, wherever they stand in it. */
export type Hide = (text: string) => string;

export function showCall(call: RecordedCall, hide: Hide): CallView {
  const { operation, partnerId, rejectedAt, fault } = call;
  return {
    id: call.id,
    at: isoTime(call.at),
    ...(partnerId !== undefined && { partnerId: showClaim(partnerId, hide) }),
    ...(operation !== undefined && { operation, serviceCode: operations[operation].code }),
    method: hide(call.method),
    path: maskTarget(hide(call.target)).slice(0, pathLengthMax),
    status: call.status,
    responseCode: call.responseCode,
    responseMessage: hide(messageIn(call.response)),
    durationMs: Number(call.durationMs.toFixed(2)),
    isRefused: rejectedAt !== undefined,
    ...(rejectedAt !== undefined && { step: rejectedAt }),
    isAuthenticated: call.isAuthenticated,
    ...(fault !== undefined && { fault }),
  };
}

/** Cut last: of a secret that is cut off before nothing is found. */
export function showClaim(partnerId: string, hide: Hide): string {
  return hide(partnerId).slice(0, claimLengthMax);
}

/** Without its explanation. */
export function showDetails(call: RecordedCall, hide: Hide): Omit<CallDetails, keyof ExplainedView> {
  const { body, bodyBytes, isBodyCut, isResponseCut } = call;
  return {
    ...showCall(call, hide),
    address: call.address,
    request: {
      path: maskTarget(hide(call.target)),
      headers: headersOf(call.rawHeaders, hide),
      ...(body !== undefined && { body: maskBody(hide(Buffer.from(body).toString("utf8"))) }),
      bodyBytes,
      isBodyCut,
    },
    response: maskBody(hide(call.response)),
    isResponseCut,
  };
}

function headersOf(rawHeaders: readonly string[], hide: Hide): CallDetails["request"]["headers"] {
  const headers: { name: string; value: string }[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = "", value = ""] = rawHeaders.slice(at, at + 2);
    headers.push({ name: hide(name), value: maskHeader(name, hide(value)) });
  }
  return headers;
}

/** Our own answers begin with code and message. */
function messageIn(response: string): string {
  const [, message = '""'] = /^\{"responseCode":"\d*","responseMessage":("(?:[^"\\]|\\.)*")/.exec(response) ?? [];
  return String(JSON.parse(message));
}
