/** Reports a failed call: response, advice and exit code. */
import { type CallError, isCallError, type SnapError } from "@titian/client";
import { headerNames } from "@titian/contract";
import { type ExitCode, exitCodes, usageError } from "../cli-error.ts";
import { formatJson, note, print } from "../output.ts";
import type { SandboxPartner } from "../sandbox/sandbox-file.ts";
import { advise, isSignatureError } from "./advise.ts";
import { shorten } from "./shorten.ts";
import { type SentRequest, signedText } from "./signed-text.ts";

export interface FailureContext {
  readonly baseUrl: string;
  readonly partner: SandboxPartner;
  readonly showSecrets: boolean;
  /** The last request sent. */
  readonly sent: SentRequest | undefined;
}

/** @throws errors that are not of the call. */
export function reportFailure(error: unknown, context: FailureContext): ExitCode {
  if (error instanceof TypeError) throw usageError(`The call cannot be made: ${error.message}`);
  if (!isCallError(error)) throw error;
  if (error.code === "ERR_SNAP_RESPONSE") reportResponse(error, context);
  else if (error.code === "ERR_NOT_SENT" && error.cause?.code === "ERR_SNAP_RESPONSE") {
    note("No access token for the call:");
    reportResponse(error.cause, context);
  } else {
    note(`\n${error.message}`);
    note(`Is the service running at ${context.baseUrl}? Start it with \`npm start\`.`);
  }
  if (error.isFinal) return exitCodes.failed;
  note(howToRepeat(error, context.sent));
  return exitCodes.unknown;
}

function reportResponse(error: SnapError, context: FailureContext): void {
  print(formatJson(error.response));
  note(`\n${error.message}`);
  const sentence = advise(error, context.partner);
  if (sentence !== undefined) note(sentence);
  if (error.retryAfterMs !== undefined) note(`Retry after ${error.retryAfterMs / 1_000} s.`);
  if (isSignatureError(error) && context.sent !== undefined) {
    note("\nString to sign:");
    note(signedText(context.sent, (token) => (context.showSecrets ? token : shorten(token))));
    if (!context.showSecrets) note("--show-secrets shows the full token.");
  }
}

/** Same id and same bytes make it an idempotent repeat. A customer token is not shown. */
function howToRepeat({ attempt }: CallError, sent: SentRequest | undefined): string {
  if (attempt === undefined) return "";
  const body = attempt.body.replaceAll("'", "'\\''");
  const customer = sent?.headers[headerNames.authorizationCustomer] === undefined ? "" : " --customer-token …";
  return `\nTo learn the outcome, repeat it with the same id and body:\n  echo '${body}' | titian call ${attempt.operation} --external-id ${attempt.externalId}${customer} --json -`;
}
