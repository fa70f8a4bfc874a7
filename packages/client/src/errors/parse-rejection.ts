/** Parses a rejection: the field or reason in its message, and the original response of a repeat. */
import {
  anotherSend,
  type OperationRow,
  operations,
  type ParsedResponseCode,
  type ReadFields,
  readResponse,
  type TransactionStatusCode,
  transactionStatuses,
} from "@titian/contract";
import type { Rejection } from "./errors.ts";
import type { CallName } from "../names.ts";
import { hasEnvelope, type ResponseFields, typeFields } from "../response-fields.ts";

export interface RejectedResponse {
  readonly fields: ResponseFields;
  readonly code: ParsedResponseCode;
  /** The header, if it was sent. */
  readonly retryAfter: string | null;
}

/** Behind the message of a rejection that another send of the same intent got (spec D7). */
const anotherSendSuffix = ` [${anotherSend}]`;

export function parseRejection<Name extends CallName>(name: Name, rejected: RejectedResponse): Rejection<Name> {
  const { fields, code, retryAfter } = rejected;
  const { responseCode, responseMessage } = fields;
  const isOfAnotherSend = responseMessage.endsWith(anotherSendSuffix);
  const message = isOfAnotherSend ? responseMessage.slice(0, -anotherSendSuffix.length) : responseMessage;
  return {
    httpStatus: code.status,
    serviceCode: code.serviceCode,
    responseCode,
    responseMessage,
    // The code of an unknown path (service 00) is no case of an operation.
    caseName: code.serviceCode === operations[name].code ? code.caseName : undefined,
    field: /^Invalid (?:Field Format|Mandatory Field) (\S+)$/i.exec(message)?.[1],
    reason: /\[([^\]]+)\]$/.exec(message)?.[1],
    isOfAnotherSend,
    retryAfterMs: retryAfter !== null && /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) * 1_000 : undefined,
    response: typeFields(name, fields),
    ...readRepeat(name, fields.additionalInfo),
  };
}

/** From `additionalInfo` of the response to a repeat (spec D7). Other providers may send anything there. */
function readRepeat<Name extends CallName>(
  name: Name,
  additionalInfo: unknown,
): Pick<Rejection<Name>, "originalResponse" | "latestTransactionStatus"> {
  const row: OperationRow = operations[name];
  const { originalResponse, latestTransactionStatus } = toObject(additionalInfo);
  const original = readResponse(row, originalResponse);
  const fields: ReadFields = original.ok ? original.value : {};
  return {
    originalResponse: hasEnvelope(fields) ? typeFields(name, fields) : undefined,
    latestTransactionStatus: isTransactionStatus(latestTransactionStatus) ? latestTransactionStatus : undefined,
  };
}

function toObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function isTransactionStatus(value: unknown): value is TransactionStatusCode {
  return typeof value === "string" && Object.hasOwn(transactionStatuses, value);
}
