/** Takes a provider's "no" apart: what its message names, and what it says about an earlier call. */
import {
  type OperationRow,
  operations,
  type ParsedResponseCode,
  type ReadFields,
  readResponse,
  type TransactionStatusCode,
  transactionStatuses,
} from "@titian/contract";
import type { Refusal } from "./errors.ts";
import type { CallName } from "./names.ts";
import { hasEnvelope, type ResponseFields, typeFields } from "./response-fields.ts";

export interface RefusedAnswer {
  readonly fields: ResponseFields;
  readonly code: ParsedResponseCode;
  /** The header, if it was sent. */
  readonly retryAfter: string | null;
}

export function takeRefusalApart<Name extends CallName>(name: Name, refused: RefusedAnswer): Refusal<Name> {
  const { fields, code, retryAfter } = refused;
  const { responseCode, responseMessage } = fields;
  return {
    httpStatus: code.status,
    serviceCode: code.serviceCode,
    responseCode,
    responseMessage,
    // The code of an unknown path only shares its digits with a case of an operation.
    caseName: code.serviceCode === operations[name].code ? code.caseName : undefined,
    field: /^Invalid (?:Field Format|Mandatory Field) (\S+)$/i.exec(responseMessage)?.[1],
    reason: /\[([^\]]+)\]$/.exec(responseMessage)?.[1],
    retryAfterMs: retryAfter !== null && /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) * 1_000 : undefined,
    response: typeFields(name, fields),
    ...readRepeat(name, fields.additionalInfo),
  };
}

/** What the answer to a repeat carries in `additionalInfo` (decision D7). Other providers put anything there. */
function readRepeat<Name extends CallName>(
  name: Name,
  additionalInfo: unknown,
): Pick<Refusal<Name>, "originalResponse" | "latestTransactionStatus"> {
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
