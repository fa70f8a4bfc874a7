/** Recorded calls as they are shown: times as texts, secrets masked. */
import { operations } from "@titian/contract";
import type { CallDetails, CallView } from "./call-views.ts";
import { isoTime } from "./iso-time.ts";
import { maskBody, maskHeader, maskTarget } from "./mask.ts";
import type { ExplainedView } from "../explain/refusal-views.ts";
import type { RecordedCall } from "./record-calls.ts";

const pathLengthMax = 300;

export function showCall(call: RecordedCall): CallView {
  const { operation, partnerId, rejectedAt, fault } = call;
  return {
    id: call.id,
    at: isoTime(call.at),
    ...(partnerId !== undefined && { partnerId }),
    ...(operation !== undefined && { operation, serviceCode: operations[operation].code }),
    method: call.method,
    path: maskTarget(call.target).slice(0, pathLengthMax),
    status: call.status,
    responseCode: call.responseCode,
    responseMessage: messageIn(call.response),
    durationMs: Number(call.durationMs.toFixed(2)),
    isRefused: rejectedAt !== undefined,
    ...(rejectedAt !== undefined && { step: rejectedAt }),
    isAuthenticated: call.isAuthenticated,
    ...(fault !== undefined && { fault }),
  };
}

/** Without its explanation. */
export function showDetails(call: RecordedCall): Omit<CallDetails, keyof ExplainedView> {
  const { body, bodyBytes, isBodyCut, isResponseCut } = call;
  return {
    ...showCall(call),
    address: call.address,
    request: {
      path: maskTarget(call.target),
      headers: headersOf(call.rawHeaders),
      ...(body !== undefined && { body: maskBody(Buffer.from(body).toString("utf8")) }),
      bodyBytes,
      isBodyCut,
    },
    response: maskBody(call.response),
    isResponseCut,
  };
}

function headersOf(rawHeaders: readonly string[]): CallDetails["request"]["headers"] {
  const headers: { name: string; value: string }[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const [name = "", value = ""] = rawHeaders.slice(at, at + 2);
    headers.push({ name, value: maskHeader(name, value) });
  }
  return headers;
}

/** Our own answers begin with code and message. */
function messageIn(response: string): string {
  const [, message = '""'] = /^\{"responseCode":"\d*","responseMessage":("(?:[^"\\]|\\.)*")/.exec(response) ?? [];
  return String(JSON.parse(message));
}
