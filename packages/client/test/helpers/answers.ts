/** Outcomes of calls as the client makes them of bytes: `parseResponse` of what a provider would send. */
import {
  type CaseName,
  formatTimestamp,
  type OperationRow,
  responseCases,
  responseCode,
  responseMessage,
} from "@titian/contract";
import type { Outcome } from "../../src/exchange/outcome.ts";
import { parseResponse } from "../../src/exchange/parse-response.ts";
import type { CallName } from "../../src/names.ts";

interface Details {
  readonly field?: string | undefined;
  readonly reason?: string | undefined;
  /** Further fields of the response. */
  readonly fields?: object;
  /** By the provider's clock. */
  readonly at?: number;
}

export function answer(row: OperationRow, caseName: CaseName, { field, reason, fields, at = 0 }: Details = {}) {
  const envelope = {
    responseCode: responseCode(caseName, row.code),
    responseMessage: responseMessage(caseName, { field, reason }),
  };
  const bytes = new TextEncoder().encode(JSON.stringify({ ...envelope, ...fields }));
  const { status: httpStatus } = responseCases[caseName];
  const respondedAt = formatTimestamp(at);
  return parseResponse(row.name as CallName, {
    kind: "received",
    httpStatus,
    bytes,
    retryAfter: null,
    respondedAt,
  }) as Outcome<never>;
}

export const success = (row: OperationRow, at = 0) => answer(row, "success", { fields: row.example.response, at });

/** Response to a repeat. */
export const repeated = (row: OperationRow, latestTransactionStatus: string, at = 0) =>
  answer(row, "conflict", {
    fields: { additionalInfo: { originalResponse: row.example.response, latestTransactionStatus } },
    at,
  });

export const silence = { kind: "noResponse", reason: "timeout", detail: "timeout" } as const;
