/** Responses to requests for no operation: `00` instead of a service code (spec D1). */
import { type CaseName, responseCases, responseCode, responseMessage } from "@titian/contract";
import type { WrittenResponse } from "./response-form.ts";
import type { Decision } from "../http-exchange.ts";
import { toJson } from "./json-text.ts";

export const noService = "00";

function envelope(caseName: CaseName, message = responseMessage(caseName)): string {
  return JSON.stringify({ responseCode: responseCode(caseName, noService), responseMessage: message });
}

export const bareEnvelope = {
  /** `4040000`: unknown path, version or method. */
  unknownPath: envelope("invalidTransactionStatus", "Unknown Path"),
  badRequest: envelope("badRequest"),
  generalError: envelope("generalError"),
} as const;

export const unknownPath: Decision = { reply: { case: "invalidTransactionStatus" }, rejectedAt: 1 };
export const missingHost: Decision = { reply: { case: "badRequest" }, rejectedAt: 1 };
export const unservedHost: Decision = {
  reply: { case: "badRequest", reason: "Host not served: TITIAN_HOSTS has the names" },
  rejectedAt: 1,
};

const noHeaders: readonly string[] = [];

/** The response to one of these decisions. */
export function bareResponse({ reply: { case: caseName, fields, reason } }: Decision): WrittenResponse {
  const { status } = responseCases[caseName];
  const envelopeText =
    status === 404 ? bareEnvelope.unknownPath : envelope(caseName, responseMessage(caseName, { reason }));
  const body = fields === undefined ? envelopeText : `${envelopeText.slice(0, -1)},${toJson(fields).slice(1)}`;
  return { status, body, headers: noHeaders };
}
