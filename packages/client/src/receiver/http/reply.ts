/** The response to the provider: the envelope, and for a bulk notification (21) the fields of its reply. */
import { type CaseName, formatTimestamp, responseCases, responseCode, responseMessage } from "@titian/contract";
import type { RequestRejection } from "../rejection.ts";

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body: string;
}

/** Service code of the reply to a request for no path of ours. */
const noService = "00";
const retryAfterSeconds = "5";

function reply(now: number, caseName: CaseName, fields: object, headers: Reply["headers"] = {}): Reply {
  const timestamp = { "X-TIMESTAMP": formatTimestamp(now) };
  return {
    status: responseCases[caseName].status,
    headers: { "Content-Type": "application/json", ...timestamp, ...headers },
    body: JSON.stringify(fields),
  };
}

/** @throws where `fields` are no JSON. */
export function successReply(now: number, serviceCode: string, fields: object = {}, headers?: Reply["headers"]): Reply {
  const envelope = {
    responseCode: responseCode("success", serviceCode),
    responseMessage: responseMessage("success"),
  };
  return reply(now, "success", { ...envelope, ...fields }, headers);
}

/** Says nothing of the cause but what the provider needs: the field, or the reason in brackets. */
export function rejectionReply(now: number, rejection: RequestRejection, serviceCode: string = noService): Reply {
  const { caseName, field, reason } = rejection;
  const envelope = {
    responseCode: responseCode(caseName, serviceCode),
    responseMessage: serviceCode === noService ? "Unknown Path" : responseMessage(caseName, { field, reason }),
  };
  return reply(now, caseName, envelope, caseName === "serviceUnavailable" ? { "Retry-After": retryAfterSeconds } : {});
}
