/** Reasons why a list was not paid to its end, and how to continue. */
import { type BulkProgress, BulkRejectedError, type CallError, isCallError } from "@titian/client";
import { advise } from "../call/advise.ts";
import { type ExitCode, exitCodes } from "../cli-error.ts";
import { note } from "../output.ts";
import type { SandboxPartner } from "../sandbox/sandbox-file.ts";
import type { PaymentList } from "./payment-list.ts";

export interface FailedSend {
  readonly list: PaymentList;
  readonly partner: SandboxPartner;
  /** By Ctrl-C. */
  readonly isStopped: boolean;
  /** True: a send whose outcome is unknown may have been accepted. */
  readonly mayBeAccepted: boolean;
  readonly last: BulkProgress | undefined;
}

/** @throws errors that are not of a call. */
export function reportSendFailure(error: unknown, failed: FailedSend): ExitCode {
  const { isStopped, mayBeAccepted, last } = failed;
  const acceptedBulks = last?.acceptedBulks ?? 0;
  if (error instanceof BulkRejectedError) {
    showRejection(error, failed);
    if (acceptedBulks === 0) return exitCodes.failed;
  } else {
    if (!isStopped && !isCallError(error)) throw error;
    note(isStopped ? "\nStopped." : `\n${isCallError(error) ? whyFailed(error) : ""}`);
    // Ctrl-C may have ended a send.
    const isUnsent = isCallError(error) && error.code === "ERR_NOT_SENT" && !mayBeAccepted;
    if (isUnsent && acceptedBulks === 0) {
      note("Nothing was sent.");
      return exitCodes.failed;
    }
  }
  showState(last);
  note(`To continue, run the same command again; what was accepted is followed, not paid again:\n  ${commandLine()}`);
  return exitCodes.unknown;
}

/** In one line, without the client's advice to programs. */
export function whyFailed(error: CallError): string {
  switch (error.code) {
    case "ERR_SNAP_RESPONSE":
      return `${error.responseMessage} (${error.responseCode})`;
    case "ERR_OUTCOME_UNKNOWN":
      return error.cause.message;
    case "ERR_NOT_SENT":
      return error.cause ? `No access token: ${error.cause.message}` : `Not sent: ${error.reason}`;
    default:
      return error.message;
  }
}

function showRejection(
  { partnerBulkId, index, payment, cause }: BulkRejectedError,
  { list, partner }: FailedSend,
): void {
  const where = index === undefined ? "" : ` for line ${list.lines[index]}, ${payment?.partnerReferenceNo}`;
  note(`\nThe bulk ${partnerBulkId} was rejected${where}: ${whyFailed(cause)}`);
  const isOtherList =
    index === undefined && (cause.caseName === "conflict" || cause.caseName === "inconsistentRequest");
  const otherList = `The name ${list.order.name} was used for another list. Give this one another --name, or send that one.`;
  const advice = isOtherList ? otherList : advise(cause, partner);
  if (advice !== undefined) note(advice);
  note("Nothing of this bulk or of later ones is paid. Correct the list and send it under the same name.");
}

function showState(last: BulkProgress | undefined): void {
  if (last === undefined) return;
  const { acceptedBulks, bulkCount, settled, rejected, returned, open } = last;
  note(
    `Bulks accepted: ${acceptedBulks} of ${bulkCount}. Payments: ${settled} settled, ${rejected} rejected, ${returned} returned, ${open} open.`,
  );
}

function commandLine(): string {
  const quote = (text: string) => (/^[\w./:=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
  return ["titian", ...process.argv.slice(2).map(quote)].join(" ");
}
