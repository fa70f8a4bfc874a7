/** Answers to what is for no operation, so that there is no service code: `00` stands in its place (spec D1). */
import { type CaseName, responseCode, responseMessage } from "@titian/contract";

const noService = "00";

function envelope(caseName: CaseName, message = responseMessage(caseName)): string {
  return JSON.stringify({ responseCode: responseCode(caseName, noService), responseMessage: message });
}

export const bareEnvelope = {
  /** `4040000`: path, version or method of nothing we serve. */
  unknownPath: envelope("invalidTransactionStatus", "Unknown Path"),
  badRequest: envelope("badRequest"),
  generalError: envelope("generalError"),
} as const;
