/** The outcome of a send, as far as it shows something of its attempt (spec D6, D7). Pure. */
import {
  type OperationRow,
  parseResponseCode,
  type TransactionStatusCode,
  transactionStatusCodes,
} from "@titian/contract";
import type { Rejection, TokenError } from "../errors/errors.ts";
import { finalityOf } from "../exchange/finality.ts";
import type { Outcome } from "../exchange/outcome.ts";
import type { WriteName } from "../names.ts";
import { seeStatus } from "./see-status.ts";
import type { ResponseValues, SeenSend } from "./seen.ts";

export function seeSend(row: OperationRow, outcome: Outcome<WriteName>): SeenSend {
  switch (outcome.kind) {
    case "response":
      return outcome.case === "success"
        ? seeSuccess(row, outcome.fields)
        : { seen: "accepted", response: outcome.fields };
    case "rejection":
      return seeRejection(row, outcome.rejection);
    case "notSent":
      return { seen: "notSent", retryAfterMs: retryAfterOf(outcome.cause) };
    case "noResponse":
      return { seen: "unknown", isAnswered: false };
    case "unreadable":
      return { seen: "unknown", isAnswered: outcome.httpStatus < 500 };
    default: {
      const never: never = outcome;
      return never;
    }
  }
}

/** Success says that it is done, but of a write whose result a notification reports: of that, that it was accepted. */
function seeSuccess(row: OperationRow, fields: ResponseValues): SeenSend {
  if (row.about.notifiedBy === undefined) return { seen: "done", response: fields };
  const { transactionStatus, responseCode, responseMessage } = fields;
  if (!isStatus(transactionStatus)) return { seen: "accepted", response: fields };
  const reason = { responseCode: String(responseCode), reason: String(responseMessage) };
  return seeStatus(row, transactionStatus, fields, reason);
}

export const isStatus = (value: unknown): value is TransactionStatusCode =>
  transactionStatusCodes.some((status) => status === value);

function seeRejection(row: OperationRow, rejection: Rejection<WriteName>): SeenSend {
  const { caseName, responseCode, responseMessage, httpStatus, retryAfterMs } = rejection;
  const reason = { responseCode, reason: responseMessage };
  if (caseName === "conflict" || caseName === "duplicatePartnerReferenceNo" || caseName === "inconsistentRequest") {
    return seeRepeat(row, caseName, rejection);
  }
  switch (finalityOf(row, rejection)) {
    case "allSends":
      return { seen: "rejected", ...reason };
    case "thisSend":
      // A token that was renewed and is rejected again has its cause between the provider's machines.
      return {
        seen: "keptOut",
        passes: caseName === "tooManyRequests" || caseName === "invalidToken",
        retryAfterMs,
        ...reason,
      };
    default:
      return { seen: "unknown", isAnswered: httpStatus < 500, retryAfterMs };
  }
}

type RepeatCase = "conflict" | "duplicatePartnerReferenceNo" | "inconsistentRequest";

function seeRepeat(row: OperationRow, caseName: RepeatCase, rejection: Rejection<WriteName>): SeenSend {
  const { responseCode, responseMessage, latestTransactionStatus: status, originalResponse } = rejection;
  const reason = { responseCode, reason: responseMessage };
  // Another bulk has that item, so that this one was not accepted (spec D13).
  if (row.itemFields?.[caseName] !== undefined && /\[\d+\]\./.test(responseMessage)) {
    return { seen: "rejected", ...reason };
  }
  if (status === undefined || status === "07") return { seen: "taken", ...reason };
  // The number has other content for good, and the status is that one's.
  if (caseName === "inconsistentRequest") return { seen: "rejected", ...reason };
  const response: ResponseValues = originalResponse ?? {};
  const original = reasonOf(originalResponse);
  const shown = seeStatus(row, status, response, original ?? reason);
  // An inquiry tells why it failed, where the first response does not.
  const asks = shown.seen === "failed" && original === undefined && row.about.inquiry !== undefined;
  return asks ? { seen: "accepted", status, response } : shown;
}

/** The first response, where it was a rejection: by the rail, within the call. */
function reasonOf(original: Rejection<WriteName>["originalResponse"]) {
  if (original === undefined || (parseResponseCode(original.responseCode)?.status ?? 0) < 400) return undefined;
  return { responseCode: original.responseCode, reason: original.responseMessage };
}

/** `Retry-After` of the call for a token. */
export function retryAfterOf(error: TokenError | undefined): number | undefined {
  if (error?.code === "ERR_NOT_SENT") return retryAfterOf(error.cause);
  return error?.code === "ERR_SNAP_RESPONSE" ? error.retryAfterMs : undefined;
}
