/** Responses to requests for no operation: `00` instead of a service code (spec D1). */
import { type CaseName, responseCode, responseMessage } from "@titian/contract";

const noService = "00";

function envelope(caseName: CaseName, message = responseMessage(caseName)): string {
  return JSON.stringify({ responseCode: responseCode(caseName, noService), responseMessage: message });
}

export const bareEnvelope = {
  /** `4040000`: unknown path, version or method. */
  unknownPath: envelope("invalidTransactionStatus", "Unknown Path"),
  badRequest: envelope("badRequest"),
  generalError: envelope("generalError"),
} as const;
