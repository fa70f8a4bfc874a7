/** The outcome of an inquiry, as far as it shows something of an attempt (spec D7, D15). Pure. */
import {
  type AttemptStatusText,
  isObject,
  type OperationRow,
  statusOfAttempt,
  type TransactionStatusCode,
  transactionStatuses,
} from "@titian/contract";
import type { Attempt } from "../attempt.ts";
import type { Outcome } from "../exchange/outcome.ts";
import type { CallName } from "../names.ts";
import { type Inquiry, readBody } from "./inquiry.ts";
import { isStatus, retryAfterOf } from "./see-send.ts";
import { seeStatus } from "./see-status.ts";
import type { Reason, ResponseValues, SeenInquiry } from "./seen.ts";

interface Asked {
  readonly row: OperationRow;
  readonly attempt: Attempt;
  readonly inquiry: Inquiry;
  /** Longest time that the call may have taken: its answer is no older than that. */
  readonly timeoutMs: number;
}

export function seeInquiry(asked: Asked, outcome: Outcome<CallName>): SeenInquiry {
  switch (outcome.kind) {
    case "response":
      return seeFields(asked, outcome.fields, upTo(asked, outcome.respondedAt));
    case "rejection": {
      const { caseName, responseCode, responseMessage: reason, retryAfterMs } = outcome.rejection;
      return caseName === "transactionNotFound"
        ? { seen: "notFound", upTo: upTo(asked, outcome.respondedAt), responseCode, reason }
        : { seen: "nothing", retryAfterMs };
    }
    case "notSent":
      return { seen: "nothing", retryAfterMs: retryAfterOf(outcome.cause) };
    case "noResponse":
    case "unreadable":
      return { seen: "nothing" };
    default: {
      const never: never = outcome;
      return never;
    }
  }
}

function upTo({ timeoutMs }: Asked, respondedAt: number | undefined): number | undefined {
  return respondedAt === undefined ? undefined : respondedAt - timeoutMs;
}

function seeFields(asked: Asked, fields: ResponseValues, until: number | undefined): SeenInquiry {
  const { row, inquiry } = asked;
  const status = readStatus(fields[inquiry.tells.status]);
  if (status === undefined || !isAboutOurs(asked, fields)) return { seen: "nothing" };
  const number = fields[inquiry.tells.number];
  const hasNumber = typeof number === "string" && number !== "";
  const reason = reasonIn(fields, status);
  // A rejected one has no number of the provider's, and a later send of it may be accepted yet.
  const isFinal = hasNumber && row.about.failedAt?.includes(status) === true;
  if (status === "07" || (status === "06" && !isFinal && !(hasNumber && row.about.doneAt?.includes(status)))) {
    return { seen: "notFound", upTo: until, ...reason };
  }
  return seeStatus(row, status, hasNumber ? { [row.about.number ?? ""]: number } : {}, reason);
}

function readStatus(value: unknown): TransactionStatusCode | undefined {
  if (isStatus(value)) return value;
  return typeof value === "string" && Object.hasOwn(statusOfAttempt, value)
    ? statusOfAttempt[value as AttemptStatusText]
    : undefined;
}

/** False where another transaction has the number: one under another external id, or of another amount. */
function isAboutOurs({ row, attempt }: Asked, fields: ResponseValues): boolean {
  const { originalExternalId } = fields;
  if (originalExternalId !== undefined && originalExternalId !== attempt.externalId) return false;
  const { amount = "" } = row.about;
  const [told, meant] = [fields[amount], readBody(attempt)[amount]];
  if (!isObject(told) || !isObject(meant)) return true;
  return told["currency"] === meant["currency"] && Number(told["value"]) === Number(meant["value"]);
}

function reasonIn(fields: ResponseValues, status: TransactionStatusCode): Reason {
  const { additionalInfo, previousResponseCode, responseCode, transactionStatusDesc } = fields;
  const rejection = isObject(additionalInfo) ? additionalInfo["rejection"] : undefined;
  const told: Readonly<Record<string, unknown>> = isObject(rejection) ? rejection : {};
  return {
    responseCode: text(told["responseCode"]) ?? text(previousResponseCode) ?? String(responseCode),
    reason: text(told["responseMessage"]) ?? text(transactionStatusDesc) ?? transactionStatuses[status].description,
  };
}

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
